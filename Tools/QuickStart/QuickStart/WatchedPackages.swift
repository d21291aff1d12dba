/// The displayed values of the packages of a watched database, by their IDs.
struct WatchedPackages: Equatable {
  typealias Row = (String, String?, String?, Int?, String, Bool)

  private var packages: [String: Package] = [:]

  struct Package: Equatable {
    let status: String?
    let priority: String?
    let size: Int?
    let summary: String
    let isPinned: Bool
  }

  /// The changes of packages, in the order of their IDs.
  struct Differences: Equatable {
    var new: [String] = []
    var removed: [String] = []
    var changed: [Change] = []

    struct Change: Equatable {
      let id: String
      let fields: [Field]
    }

    struct Field: Equatable {
      let name: String
      let old: String
      let new: String
    }

    var isEmpty: Bool { new.isEmpty && removed.isEmpty && changed.isEmpty }
  }

  init(_ rows: [Row]) {
    packages.reserveCapacity(rows.count)
    for (id, status, priority, size, summary, isPinned) in rows {
      packages[id] = Package(
        status: status, priority: priority, size: size, summary: summary, isPinned: isPinned)
    }
  }

  var count: Int { packages.count }

  func differences(from earlier: WatchedPackages) -> Differences {
    var differences = Differences()
    for (id, package) in packages {
      guard let old = earlier.packages[id] else {
        differences.new.append(id)
        continue
      }
      let fields = package.fields(changedFrom: old)
      if !fields.isEmpty { differences.changed.append(.init(id: id, fields: fields)) }
    }
    differences.removed = earlier.packages.keys.filter { packages[$0] == nil }.sorted()
    differences.new.sort()
    differences.changed.sort { $0.id < $1.id }
    return differences
  }
}

extension WatchedPackages.Package {
  /// Descriptions of the changed fields.
  fileprivate func fields(
    changedFrom old: WatchedPackages.Package
  ) -> [WatchedPackages.Differences.Field] {
    guard old != self else { return [] }
    return zip(old.words, words).compactMap { old, new in
      old.value == new.value ? nil : .init(name: new.name, old: old.value, new: new.value)
    }
  }

  private var words: [(name: String, value: String)] {
    [
      ("status", status ?? "none"), ("priority", priority ?? "none"),
      ("size", size?.kibibytes ?? "none"), ("summary", summary.isEmpty ? "none" : summary),
      ("pinned", isPinned ? "yes" : "no"),
    ]
  }
}

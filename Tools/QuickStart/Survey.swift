/// Figures about a number of packages.
struct Survey {
  struct Section {
    var name: String
    var count: Int
    /// In KiB.
    var size: Int
  }

  let count: Int
  /// In KiB.
  let size: Int
  /// Largest first, five at most.
  let biggest: [DebianPackage]
  /// Largest first.
  let sections: [Section]

  init(_ packages: [DebianPackage]) {
    let sizes = packages.map { $0.installedSize ?? 0 }
    var sections: [String: Section] = [:]
    for (package, size) in zip(packages, sizes) {
      let name = package.sectionName
      sections[name, default: Section(name: name, count: 0, size: 0)].add(size)
    }
    count = packages.count
    size = sizes.reduce(0, Self.sum)
    biggest =
      sizes.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }.prefix(5).map { packages[$0] }
    self.sections = sections.values.sorted { ($1.size, $0.name) < ($0.size, $1.name) }
  }

  /// The section with the fewest packages, where there is another.
  var smallestSection: Section? {
    guard sections.count > 1 else { return nil }
    return sections.min { ($0.count, $0.name) < ($1.count, $1.name) }
  }

  // A file may claim any size, so the sum may not trap.
  fileprivate static func sum(_ size: Int, _ more: Int) -> Int {
    let (total, isTooLarge) = size.addingReportingOverflow(more)
    return isTooLarge ? .max : total
  }
}

extension Survey.Section {
  fileprivate mutating func add(_ more: Int) {
    count += 1
    size = Survey.sum(size, more)
  }
}

import MagicData

/// The links between packages, as a checksum for each kind, which shows that a link is missing, new
/// or changed.
struct Links: Equatable {
  private(set) var needs = Sum()
  private(set) var recommendations = Sum()
  private(set) var sections = Sum()
  private(set) var maintainers = Sum()

  init() {}

  /// Reads the links, without links from or to some packages.
  init(in magic: MagicData, without removed: Set<String> = []) async throws {
    for recommendation in try await magic.object(of: Recommendation.self) {
      let ends = (recommendation.package.id, recommendation.recommended.id)
      if !removed.contains(ends.0), !removed.contains(ends.1) {
        recommendations.add(from: ends.0, to: ends.1)
      }
    }
    add(try await magic.object(of: DebianPackage.self), without: removed)
  }

  private mutating func add(_ packages: [DebianPackage], without removed: Set<String>) {
    for package in packages {
      let id = package.id
      guard !removed.contains(id) else { continue }
      if let section = package.section { sections.add(from: id, to: section.name) }
      if let maintainer = package.maintainer { maintainers.add(from: id, to: maintainer.name) }
      for needed in package.needs.lazy.map(\.id) where !removed.contains(needed) {
        needs.add(from: id, to: needed)
      }
    }
  }

  var count: Int { needs.count + recommendations.count + sections.count + maintainers.count }
}

extension Links {
  /// A sum that does not depend on the order.
  struct Sum: Equatable {
    private(set) var count = 0
    private var hash = 0

    mutating func add(from owner: String, to target: String) {
      var hasher = Hasher()
      hasher.combine(owner)
      hasher.combine(target)
      count += 1
      hash &+= hasher.finalize()
    }
  }
}

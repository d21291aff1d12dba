import DebianPackages
import MagicData

/// The packages of a file as objects with relationships. None is saved.
struct PackageArchive {
  /// The packages in the order of the file. A later stanza replaces an earlier one of the same
  /// package and version.
  private(set) var packages: [DebianPackage] = []
  private(set) var recommendations: [Recommendation] = []
  /// The number of pairs of packages of which one needs the other.
  private(set) var needs = 0
  /// The number of items of `depends` and `preDepends` that no package of the file fulfils.
  private(set) var unmet = 0
  /// The package that directly needs the most others, and the one that the most others need.
  private(set) var neediest: DebianPackage?
  private(set) var mostNeeded: DebianPackage?

  private var places: [String: Int] = [:]
  private var sections: [String: Section] = [:]
  private var maintainers: [String: Maintainer] = [:]

  /// Adds a package with its section and maintainer.
  ///
  /// - Returns: Whether the package replaces an earlier one.
  mutating func add(_ stanza: Stanza) throws(MalformedStanza) -> Bool {
    let package = try DebianPackage(stanza)
    if let name = stanza.optional("Section") { package.section = section(name) }
    if let name = stanza.optional("Maintainer") { package.maintainer = maintainer(name) }
    let place = places[package.id]
    if let place {
      packages[place] = package
    } else {
      places[package.id] = packages.count
      packages.append(package)
    }
    return place != nil
  }

  /// Sets the relationships of packages to those they need or recommend, after all have been added.
  mutating func link() {
    let directory = directory()
    var neededBy = [Int](repeating: 0, count: packages.count)
    var most = 0
    for (place, package) in packages.enumerated() {
      let fields = [package.preDepends, package.depends]
      let (needed, unmet) = fulfilled(fields, by: directory, for: place)
      package.needs = MagicalSet(needed.lazy.map { [packages] in packages[$0] })
      for other in needed { neededBy[other] += 1 }
      self.unmet += unmet
      needs += needed.count
      if needed.count > most { (most, neediest) = (needed.count, package) }
      let recommended = fulfilled([package.recommends], by: directory, for: place).places
      for other in recommended where !needed.contains(other) {
        recommendations.append(Recommendation(of: packages[other], by: package))
      }
    }
    if let most = neededBy.max(), most > 0, let place = neededBy.firstIndex(of: most) {
      mostNeeded = packages[place]
    }
  }

  /// Breaks the reference cycles of packages that need each other.
  func unlink() {
    for package in packages { package.needs = [] }
  }

  /// The package with an ID, or else the first with a name.
  func package(named name: String) -> DebianPackage? {
    places[name].map { packages[$0] } ?? packages.first { $0.name == name }
  }

  private func directory() -> PackageDirectory {
    var directory = PackageDirectory()
    for package in packages {
      directory.add(
        .init(
          name: package.name, architecture: package.architecture, version: package.version,
          priority: package.priority, provides: Self.dependencies(package.provides)),
        isThere: package.isThere)
    }
    return directory
  }

  /// The indexes of other packages that fulfil the items of some fields, each once.
  private func fulfilled(
    _ fields: [String?], by directory: PackageDirectory, for owner: Int
  ) -> (places: [Int], unmet: Int) {
    var places: [Int] = []
    var seen: Set<Int> = [owner]
    var unmet = 0
    for dependency in fields.flatMap(Self.dependencies) {
      guard let place = directory.package(for: dependency, of: owner) else {
        unmet += 1
        continue
      }
      if seen.insert(place).inserted { places.append(place) }
    }
    return (places, unmet)
  }

  private static func dependencies(_ field: String?) -> [Dependency] {
    field.flatMap(Dependency.list) ?? []
  }

  private mutating func section(_ name: String) -> Section {
    if let known = sections[name] { return known }
    let section = Section(named: name)
    sections[name] = section
    return section
  }

  private mutating func maintainer(_ name: String) -> Maintainer {
    if let known = maintainers[name] { return known }
    let maintainer = Maintainer(named: name)
    maintainers[name] = maintainer
    return maintainer
  }
}

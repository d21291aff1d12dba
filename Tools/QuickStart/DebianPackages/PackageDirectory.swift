/// Finds the package of a file that fulfils a dependency.
///
/// The first alternative that any package fulfils is used, like in apt. A name is that of a
/// package, or else of a virtual package that packages provide:
///
/// - A package fulfils the dependency if its version is in the range. If several do, packages with
///   the owner's architecture or `all` are preferred, then higher versions.
/// - A provider fulfils a version range only with the version in which it provides the name. If
///   several do, the owner itself and packages with its architecture are preferred, then higher
///   priorities, then earlier packages.
/// - An architecture after the name is required. Without an architecture, or with `any`, a package
///   of another architecture is used if there is none with the owner's.
package struct PackageDirectory {
  /// The properties of a package that can fulfil dependencies. Its number is its index in the file.
  package struct Offer: Sendable {
    let name: String
    let architecture: String?
    let version: String?
    /// The rank of the priority; lower is more important.
    let rank: Int
    /// The provided virtual packages, each without a version or with an exact one.
    let provides: [PackageDemand]

    /// - Parameter provides: The items of the field `Provides`.
    package init(
      name: String, architecture: String?, version: String?, priority: String?,
      provides: [Dependency]
    ) {
      self.name = name
      self.architecture = architecture
      self.version = version
      let priorities = ["required", "important", "standard", "optional"]
      rank = priorities.firstIndex(of: priority?.lowercased() ?? "") ?? priorities.count
      self.provides = provides.flatMap(\.alternatives)
    }
  }

  private struct Provider {
    let number: Int
    let version: DebianVersion?
  }

  private var architectures: [String?] = []
  private var versions: [DebianVersion?] = []
  private var ranks: [Int] = []
  private var packages: [String: [Int]] = [:]
  private var providers: [String: [Provider]] = [:]

  package init() {}

  /// Adds the next package of the file. A package that is not installed has a number, but fulfils
  /// nothing.
  package mutating func add(_ offer: Offer, isThere: Bool = true) {
    let number = versions.count
    architectures.append(offer.architecture)
    versions.append(offer.version.map(DebianVersion.init))
    ranks.append(offer.rank)
    guard isThere else { return }
    packages[offer.name, default: []].append(number)
    for name in offer.provides {
      providers[name.name, default: []].append(
        Provider(number: number, version: (name.versions?.version).map(DebianVersion.init)))
    }
  }

  /// The number of the package that fulfils a dependency of an owner, which can be the owner
  /// itself; nil if there is none in the file.
  package func package(for dependency: Dependency, of owner: Int) -> Int? {
    for demand in dependency.alternatives {
      if let found = package(for: demand, of: owner) ?? provider(for: demand, of: owner) {
        return found
      }
    }
    return nil
  }

  private func package(for demand: PackageDemand, of owner: Int) -> Int? {
    let candidates = (packages[demand.name] ?? []).filter {
      fits(versions[$0], demand) && fits($0, demand.architecture)
    }
    guard candidates.count > 1 else { return candidates.first }
    return candidates.max { first, second in
      let isNear = (isNear(first, owner), isNear(second, owner))
      guard isNear.0 == isNear.1 else { return isNear.1 }
      guard let lower = versions[first], let higher = versions[second] else {
        return versions[first] == nil && versions[second] != nil
      }
      return lower < higher
    }
  }

  private func provider(for demand: PackageDemand, of owner: Int) -> Int? {
    let distance = { $0 == owner ? 0 : isNear($0, owner) ? 1 : 2 }
    return (providers[demand.name] ?? []).lazy
      .filter { fits($0.version, demand) && fits($0.number, demand.architecture) }
      .map(\.number)
      .min { (distance($0), ranks[$0], $0) < (distance($1), ranks[$1], $1) }
  }

  private func fits(_ version: DebianVersion?, _ demand: PackageDemand) -> Bool {
    guard let range = demand.versions else { return true }
    return version.map(range.contains) ?? false
  }

  private func fits(_ number: Int, _ architecture: String?) -> Bool {
    architecture == nil || architecture == "any" || architecture == architectures[number]
  }

  /// Whether a package has the owner's architecture or `all`.
  private func isNear(_ number: Int, _ owner: Int) -> Bool {
    architectures[number] == "all" || architectures[number] == architectures[owner]
  }
}

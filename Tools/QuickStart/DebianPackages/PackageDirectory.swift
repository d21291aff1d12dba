/// Finds among the packages of a file the one that fulfils a dependency.
///
/// Of alternatives the first that any package fulfils counts, as apt installs them. A name is that
/// of a package, else a virtual one which packages provide:
///
/// - A package fulfils it if its version is in the range. Of several the one counts with the
///   architecture of who asks, or `all`; then the highest version.
/// - A provider fulfils a version range only by a version that it provides the name in. Of several
///   the one counts that asks, or has the right architecture; then the highest priority; then the
///   first.
/// - An architecture behind the name is the only one allowed. Where there is none, or `any`, a
///   package of another architecture does if there is none of the right one.
package struct PackageDirectory {
  /// What one package has to offer. Its number is its place in the file.
  package struct Offer: Sendable {
    let name: String
    let architecture: String?
    let version: String?
    /// Lower is more important.
    let rank: Int
    /// Virtual packages, each in no or in one exact version.
    let provides: [PackageDemand]

    /// - Parameter provides: the items of the field `Provides`.
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

  /// Takes up the next package of the file. One that is not installed fulfils nothing, but has its
  /// number.
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

  /// The number of the package that fulfils a dependency of another, which may be itself; nil where
  /// none in the file does.
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

  /// Whether a package is of the owner's architecture or of all.
  private func isNear(_ number: Int, _ owner: Int) -> Bool {
    architectures[number] == "all" || architectures[number] == architectures[owner]
  }
}

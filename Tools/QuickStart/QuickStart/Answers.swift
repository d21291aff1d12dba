import MagicData

/// The results of queries: needs, dependents and maintainers of packages, and packages about a text.
struct Answers {
  let needs: Needs?
  let neededBy: NeededBy?
  let maintainers: Maintainers
  let about: About

  init(_ questions: Questions, in magic: MagicData) async throws {
    if let id = questions.needs { needs = try await Needs(id, in: magic) } else { needs = nil }
    if let id = questions.neededBy {
      neededBy = try await NeededBy(id, in: magic)
    } else {
      neededBy = nil
    }
    maintainers = try await Maintainers(in: magic)
    about = try await About(questions.about, in: magic)
  }
}

/// All packages that a package needs, which are fetched with it.
struct Needs {
  let package: DebianPackage
  /// The needed packages, the nearest first.
  private(set) var others: [DebianPackage] = []
  /// The number of steps to the farthest package.
  private(set) var depth = 0
  let seconds: Double

  init(_ id: String, in magic: MagicData) async throws {
    let stopwatch = Stopwatch()
    package = try await magic.object(of: DebianPackage.self, primary: id)
    var seen: Set<ZIndex?> = [package.zIndex]
    var level = [package]
    while true {
      level = level.flatMap(\.needs).filter { seen.insert($0.zIndex).inserted }
      if level.isEmpty { break }
      others += level
      depth += 1
    }
    seconds = stopwatch.seconds
  }
}

/// The packages that need a package directly.
struct NeededBy {
  let name: String
  let count: Int
  /// The names of some of these packages.
  private(set) var names: [String] = []
  let seconds: Double

  init(_ id: String, in magic: MagicData) async throws {
    let stopwatch = Stopwatch()
    let package = try await magic.object(of: DebianPackage.self, primary: id)
    name = package.name
    count = try await package.neededBy.count
    // The objects are fetched with all packages that they need; a count is much less work.
    for try await other in package.neededBy.prefix(5) { names.append(other.name) }
    seconds = stopwatch.seconds
  }
}

/// The maintainers with the most packages.
struct Maintainers {
  let count: Int
  /// The maintainers with the most packages first, three at most.
  let busiest: [(name: String, packages: Int)]
  let seconds: Double

  init(in magic: MagicData) async throws {
    let stopwatch = Stopwatch()
    let maintainers = magic.query(Maintainer.self)
    count = try await maintainers.count()
    busiest =
      try await maintainers
      .order(.descending) { $0.$packages.count }
      .order(by: \.$name)
      .limit(3)
      .select { ($0.$name, $0.$packages.count) }
      .all()
      .map { (name: $0, packages: $1) }
    seconds = stopwatch.seconds
  }
}

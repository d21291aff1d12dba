import MagicData

/// What packages need, who needs them and who looks after them, asked of a database.
struct Answers {
  let needs: Needs?
  let neededBy: NeededBy?
  let maintainers: Maintainers

  init(_ questions: Questions, in magic: MagicData) async throws {
    if let id = questions.needs { needs = try await Needs(id, in: magic) } else { needs = nil }
    if let id = questions.neededBy {
      neededBy = try await NeededBy(id, in: magic)
    } else {
      neededBy = nil
    }
    maintainers = try await Maintainers(in: magic)
  }
}

/// All that a package needs: it comes with the package.
struct Needs {
  let package: DebianPackage
  /// All it needs, the nearest first.
  private(set) var others: [DebianPackage] = []
  /// How many steps lead to the farthest.
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

/// Who needs a package itself.
struct NeededBy {
  let name: String
  let count: Int
  /// Some of them.
  private(set) var names: [String] = []
  let seconds: Double

  init(_ id: String, in magic: MagicData) async throws {
    let stopwatch = Stopwatch()
    let package = try await magic.object(of: DebianPackage.self, primary: id)
    name = package.name
    count = try await package.neededBy.count
    // The objects come with all they need themselves: a count alone is far less work.
    for try await other in package.neededBy.prefix(5) { names.append(other.name) }
    seconds = stopwatch.seconds
  }
}

/// Who maintains the most packages.
struct Maintainers {
  let count: Int
  /// The most packages first, three at most.
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

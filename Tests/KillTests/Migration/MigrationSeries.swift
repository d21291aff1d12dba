import Foundation
import KillProgram
import MagicFiles
import MagicStore
import MagicTestSupport
import SQLiteStore

/// Runs rounds in each of which the program migrates a database and is killed. The database must
/// then be completely in the old state, or completely in the new one.
struct MigrationSeries: Series {
  let mode: Mode
  let seed: UInt64
  private(set) var figures = MigrationFigures()
  /// The violations that the last round found.
  private(set) var losses: [String] = []
  private let reference: MigrationReference
  /// The statements before which rounds end, in turn: each at least once.
  private var positions: [Position] = []
  private var random: SeededRandom
  private let directory: TemporaryDirectory
  /// The database of the last round, if the next round continues with it; nil for a new copy.
  private var path: String?

  private struct Position {
    let way: MigrationWork.Way
    /// 1 for the first statement.
    let number: Int
  }

  /// The steps at which rounds end, in turn.
  private static let steps: [(step: Step, most: Int)] = [
    (.afterCommit, 1), (.after(.rename), 31), (.after(.write), 60), (.beforeCommit, 1),
    (.after(.create), 31), (.before(.remove), 15), (.after(.syncDirectory), 3),
    (.after(.remove), 15), (.after(.lock), 4), (.any, 300), (.after(.close), 31),
    (.before(.rename), 31), (.before(.removeDirectory), 1), (.after(.list), 2),
  ]

  static let required: [Step] = [.beforeCommit, .afterCommit, .after(.rename), .after(.write)]

  init(_ mode: Mode, seed: UInt64) throws {
    (self.mode, self.seed) = (mode, seed)
    reference = try MigrationReference.shared.get()
    random = SeededRandom(seed)
    directory = try TemporaryDirectory()
    var first: [String: Position] = [:]
    var last: [String: Position] = [:]
    for way in MigrationWork.Way.allCases {
      for (number, sql) in zip(1..., reference.ways[way]?.statements ?? []) {
        let position = Position(way: way, number: number)
        if first[sql] == nil { first[sql] = position }
        last[sql] = position
      }
    }
    figures.statements = Set(first.keys)
    positions =
      first.keys.sorted().compactMap { first[$0] }.shuffled(using: &random)
      + last.keys.sorted().compactMap { last[$0] }.shuffled(using: &random)
  }

  /// The number of rounds after which at least one round has ended before each statement.
  var roundsForEachStatement: Int { 2 * figures.statements.count }

  // MARK: A round

  var endings: EndingCounts { figures.endings }

  mutating func runRound() throws {
    let round = endings.rounds
    let (way, ending) = nextEnding(round)
    // The positions of statements apply to a migration from the start.
    let path = try (ending.step == .statement ? nil : self.path) ?? fresh(round)
    let child = try ending.run(
      path, .migration, mode, seed: UInt64(way.rawValue), countingIn: &figures.endings)
    do {
      try check(child, way, ending, path)
    } catch {
      losses.append("reading failed: \(error)")
    }
    let place =
      "\(mode), seed \(seed), round \(round), by \(way), \(ending.text(child)): "
    losses = losses.map { place + $0 }
  }

  private func fresh(_ round: Int) throws -> String {
    let path = directory.file("\(round).sqlite3").path
    try reference.copy(to: path)
    return path
  }

  private mutating func nextEnding(_ round: Int) -> (way: MigrationWork.Way, ending: Ending) {
    let ways = MigrationWork.Way.allCases.filter { reference.ways[$0] != nil }
    let way = ways.randomElement(using: &random) ?? .blocking
    let outcome = reference.ways[way]
    switch round % 4 {
    case 0, 2:
      let place = round / 2
      guard positions.indices.contains(place) else {
        let number = Int.random(in: 1...(outcome?.statements.count ?? 1), using: &random)
        return ending(before: Position(way: way, number: number))
      }
      return ending(before: positions[place])
    case 1:
      return (way, .inTurn(Self.steps, round / 4, using: &random))
    default:
      return (way, .killed(within: 20 + (outcome?.milliseconds ?? 0), using: &random))
    }
  }

  private func ending(before position: Position) -> (MigrationWork.Way, Ending) {
    (position.way, .at(.statement, number: position.number))
  }

  // MARK: Checking the result

  private mutating func check(
    _ child: Child, _ way: MigrationWork.Way, _ ending: Ending, _ path: String
  ) throws {
    if let failure = child.failure { losses.append("the program failed: \(failure)") }
    if let statement = child.statement { figures.reached.insert(statement) }
    guard let after = reference.ways[way]?.after else { return }
    let dump = try DatabaseDump(of: path)
    losses += dump.faults
    let toOld = dump.differences(from: reference.before)
    let toNew = dump.differences(from: after)
    guard toOld.isEmpty || toNew.isEmpty else {
      losses.append("neither old, in \(toOld), nor new, in \(toNew)")
      return
    }
    let isOld = toOld.isEmpty
    if isOld { figures.old += 1 } else { figures.new += 1 }
    if let wasCommitted = wasCommitted(child, way, ending), wasCommitted == isOld {
      losses.append(isOld ? "a committed migration is lost" : "an uncommitted migration is stored")
    }
    guard losses.isEmpty else { return }
    // Sometimes the next round continues with the files of this one.
    self.path = isOld && Bool.random(using: &random) ? path : nil
    if self.path == nil { try openAndClose(path, isOld, after) }
  }

  /// Whether the migration had been committed when the program ended; nil if that is unknown.
  private func wasCommitted(
    _ child: Child, _ way: MigrationWork.Way, _ ending: Ending
  ) -> Bool? {
    switch child.step {
    case .afterCommit: true
    case .beforeCommit: false
    case .statement: reference.ways[way].map { ending.count > $0.commit }
    default: child.isDone ? true : nil
    }
  }

  /// Migrates if the state is old, and expects the same result as of an uninterrupted migration.
  private mutating func openAndClose(
    _ path: String, _ isOld: Bool, _ after: DatabaseDump
  ) throws {
    var after = after
    if isOld {
      let ways = reference.ways.keys.sorted { $0.rawValue < $1.rawValue }
      let way = ways.randomElement(using: &random) ?? .blocking
      try MigrationWork(path, way: way).run()
      after = reference.ways[way]?.after ?? after
    }
    let store = try MagicObjectStore.open(.file(path))
    losses += try Library.faults(in: store).map { "read by the library: \($0)" }
    losses += try store.verify().findings.map { "found by the library: \($0)" }
    store.close()
    let dump = try DatabaseDump(of: path)
    losses += dump.faults + dump.leftovers
    losses += dump.differences(from: after).map { "differs after the migration: \($0)" }
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.url.path) {
      try FileManager.default.removeItem(at: directory.file(name))
    }
  }
}

import Foundation
import KillProgram
import MagicAssets
import MagicData
import MagicFiles
import MagicStore
import MagicTestSupport
import SQLiteStore

/// Runs rounds on a series of databases. In each round the program makes calls and is killed; the
/// stored state is then compared with the acknowledged calls.
struct Series {
  let mode: Mode
  let seed: UInt64
  private(set) var figures = Figures()
  /// The violations that the last round found.
  private(set) var losses: [String] = []
  private var random: SeededRandom
  private var directory: TemporaryDirectory
  private var contents = Contents()

  /// The number of rounds on the same database.
  private static let roundsPerDatabase = 20

  /// The steps at which rounds end, in turn.
  private static let steps: [(step: Step, most: Int)] = [
    (.beforeCommit, 8), (.afterCommit, 8), (.after(.rename), 8), (.after(.sync), 8),
    (.after(.write), 16), (.after(.create), 8), (.after(.syncDirectory), 8),
    (.before(.remove), 8), (.after(.remove), 8), (.any, 400), (.before(.syncDirectory), 8),
    (.after(.lock), 8), (.any, 40), (.before(.removeDirectory), 1), (.after(.makeDirectory), 2),
    (.after(.list), 2), (.after(.close), 8),
    (.statement, 100), (.statement, 400), (.statement, 1_000),
  ]

  /// The steps at each of which at least one round must end.
  static let required: [Step] = [
    .after(.create), .after(.write), .after(.sync), .after(.rename), .after(.syncDirectory),
    .beforeCommit, .afterCommit, .before(.remove), .after(.remove),
  ]

  init(_ mode: Mode, seed: UInt64) throws {
    self.mode = mode
    self.seed = seed
    random = SeededRandom(seed)
    directory = try TemporaryDirectory()
  }

  /// - Returns: Whether no round so far has found a violation.
  mutating func run(rounds: Int) throws -> Bool {
    for _ in 0..<rounds where losses.isEmpty { try runRound() }
    return losses.isEmpty
  }

  private mutating func runRound() throws {
    let round = figures.rounds
    if round % Self.roundsPerDatabase == 0 {
      directory = try TemporaryDirectory()
      contents = Contents()
    }
    let path = directory.file("test.sqlite3").path
    let (child, ending) = try runChild(round, path)
    figures.rounds += 1
    do {
      try check(child, path)
    } catch {
      losses.append("reading failed: \(error)")
    }
    let place = "\(mode), seed \(seed), round \(round), \(ending): "
    losses = losses.map { place + $0 }
  }

  private mutating func runChild(_ round: Int, _ path: String) throws -> (Child, String) {
    let seed = random.next()
    guard round % 2 == 0 else {
      let delay = Int.random(in: 0...120, using: &random)
      let arguments = Arguments(path: path, mode: mode, seed: seed)
      let child = try Child(arguments, killedAfter: delay)
      figures.killed += 1
      return (child, "killed after \(delay) ms")
    }
    let (step, most) = Self.steps[round / 2 % Self.steps.count]
    let count = Int.random(in: 1...most, using: &random)
    let child = try Child(
      Arguments(path: path, mode: mode, seed: seed, step: step, count: count), killedAfter: nil)
    if let step = child.step { figures.steps[step, default: 0] += 1 }
    if child.isDone { figures.done += 1 }
    return (child, "ended at \(child.step?.name ?? "the end"), number \(count) of \(step.name)")
  }

  private mutating func check(_ child: Child, _ path: String) throws {
    if let failure = child.failure { losses.append("the program failed: \(failure)") }
    figures.calls += child.acknowledged.count
    for changes in child.acknowledged { contents.apply(changes) }
    var stored = try StoredState(at: path)
    applyStored(child.pending.filter { !$0.isEmpty }, stored.contents)
    compare(stored)
    // Sometimes the next round continues with the files of this one.
    guard losses.isEmpty, Bool.random(using: &random) else { return }
    try openAndClose(path)
    stored = try StoredState(at: path)
    compare(stored)
    losses += stored.leftovers
  }

  /// Applies the unacknowledged calls that were stored. Each can be stored completely or not at
  /// all.
  private mutating func applyStored(_ calls: [[Change]], _ stored: Contents) {
    for chosen in 1..<(1 << calls.count) {
      let some = calls.indices.filter { chosen & 1 << $0 != 0 }.map { calls[$0] }
      let possible = some.reduce(contents) { $0.applying($1) }
      guard possible == stored else { continue }
      contents = possible
      figures.unacknowledged += some.count
      return
    }
  }

  private mutating func compare(_ stored: StoredState) {
    losses += stored.faults
    if stored.contents != contents {
      losses.append("acknowledged state: \(contents.difference(to: stored.contents))")
    }
    figures.objects += stored.contents.letters.count + stored.contents.envelopes.count
  }

  /// Checks the objects that the library fetches.
  private mutating func openAndClose(_ path: String) throws {
    let store = try MagicObjectStore.open(.file(path))
    defer { store.close() }
    let read = try Contents(reading: store)
    if read != contents {
      losses.append("read by the library: \(contents.difference(to: read))")
    }
    for letter in try store.object(of: Letter.self)
    where try letter.scan.load() != (letter.version == 0 ? nil : Content.of(letter.version)) {
      losses.append("letter \(letter.number) has another scan when read by the library")
    }
    for (number, row) in contents.letters {
      let found = try store.query(Letter.self)
        .matching(.phrase(Letter.text(number, row.version))).all()
      if found.map(\.number) != [number] { losses.append("a search finds no letter \(number)") }
    }
    for envelope in try store.object(of: Envelope.self)
    where try envelope.photo.load() != Content.of(envelope.version) {
      losses.append("envelope \(envelope.number) has another photo when read by the library")
    }
  }
}

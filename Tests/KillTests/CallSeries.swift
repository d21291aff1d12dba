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
struct CallSeries: Series {
  let mode: Mode
  let seed: UInt64
  private(set) var figures = CallFigures()
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

  var endings: EndingCounts { figures.endings }

  mutating func runRound() throws {
    let round = endings.rounds
    if round % Self.roundsPerDatabase == 0 {
      directory = try TemporaryDirectory()
      contents = Contents()
    }
    let path = directory.file("test.sqlite3").path
    let seed = random.next()
    let ending =
      round % 2 == 0
      ? Ending.inTurn(Self.steps, endings.stepped, using: &random)
      : .killed(within: 120, using: &random)
    let child = try ending.run(path, .calls, mode, seed: seed, countingIn: &figures.endings)
    do {
      try check(child, path)
    } catch {
      losses.append("reading failed: \(error)")
    }
    let place = "\(mode), seed \(self.seed), round \(round), \(ending.text(child)): "
    losses = losses.map { place + $0 }
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

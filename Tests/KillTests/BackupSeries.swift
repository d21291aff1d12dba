import Foundation
import KillProgram
import MagicFiles
import MagicStore
import MagicTestSupport
import SQLiteStore

/// Runs rounds on a series of databases. In each round the program copies its database while
/// another thread writes to it, and is killed; the copy is then compared with the states of the
/// database.
struct BackupSeries: Series {
  let mode: Mode
  let seed: UInt64
  private(set) var figures = BackupFigures()
  /// The violations that the last round found.
  private(set) var losses: [String] = []
  private var random: SeededRandom
  private var directory: TemporaryDirectory
  private var contents = Contents()

  private static let roundsPerDatabase = 12

  /// The steps at which rounds end, in turn.
  private static let steps: [(step: Step, most: Int)] = [
    (.progress, 4), (.after(.lock), 2), (.after(.create), 4), (.after(.rename), 1),
    (.after(.write), 6), (.before(.remove), 1), (.after(.remove), 2), (.before(.rename), 1),
    (.after(.syncDirectory), 2), (.any, 60), (.before(.syncDirectory), 2), (.after(.close), 4),
  ]

  static let required: [Step] = [
    .progress, .after(.lock), .after(.create), .after(.write), .before(.rename), .after(.rename),
    .after(.remove), .after(.syncDirectory),
  ]

  init(_ mode: Mode, seed: UInt64) throws {
    self.mode = mode
    self.seed = seed
    random = SeededRandom(seed)
    directory = try TemporaryDirectory()
  }

  var endings: EndingCounts { figures.endings }

  private var path: String { directory.file("test.sqlite3").path }
  private var copyPath: String { BackupWork.copyPath(of: path) }

  mutating func runRound() throws {
    let round = endings.rounds
    if round % Self.roundsPerDatabase == 0 {
      directory = try TemporaryDirectory()
      contents = Contents()
    }
    let seed = random.next()
    let ending =
      round % 3 == 0
      ? Ending.killed(within: 80, using: &random)
      : .inTurn(Self.steps, endings.stepped, using: &random)
    let child = try ending.run(path, .backup, mode, seed: seed, countingIn: &figures.endings)
    do {
      try check(child)
      try copyAgain()
    } catch {
      losses.append("an error was thrown: \(error)")
    }
    let place = "\(mode), seed \(self.seed), round \(round), \(ending.text(child)): "
    losses = losses.map { place + $0 }
  }

  /// Checks that the database is in the acknowledged state, and that the copy is one of its states.
  private mutating func check(_ child: Child) throws {
    if let failure = child.failure { losses.append("the program failed: \(failure)") }
    var states = [contents]
    for changes in child.acknowledged { states.append(states[states.count - 1].applying(changes)) }
    let last = states[states.count - 1]
    states += child.pending.filter { !$0.isEmpty }.map { last.applying($0) }
    let stored = try StoredState(at: path)
    losses += stored.faults
    if !states[child.acknowledged.count...].contains(stored.contents) {
      losses.append("acknowledged state: \(last.difference(to: stored.contents))")
    }
    contents = stored.contents
    guard FileManager.default.fileExists(atPath: copyPath) else {
      figures.absent += 1
      if child.hasCopied { losses.append("the copy is missing") }
      return
    }
    figures.complete += 1
    let copy = try StoredState(at: copyPath)
    losses += copy.faults.map { "in the copy: \($0)" }
    if !states[(child.acknowledgedBeforeCopy ?? 0)...].contains(copy.contents) {
      losses.append("the copy has no state since its start: \(last.difference(to: copy.contents))")
    }
    figures.objects += copy.contents.letters.count + copy.contents.envelopes.count
    try removeCopy()
  }

  // Files of an unfinished copy remain: the next backup must remove them.
  private func removeCopy() throws {
    for suffix in ["", "-wal", "-shm", "-assets"] {
      let file = copyPath + suffix
      if FileManager.default.fileExists(atPath: file) {
        try FileManager.default.removeItem(atPath: file)
      }
    }
  }

  /// Checks that a backup to the same path succeeds, and removes the files of an unfinished copy.
  private mutating func copyAgain() throws {
    if partials().contains(where: { !$0.hasSuffix("-lock") }) { figures.partial += 1 }
    guard Bool.random(using: &random) else { return }
    let store = try MagicObjectStore.open(.file(path))
    defer { store.close() }
    try store.backup(to: copyPath)
    figures.again += 1
    let copy = try StoredState(at: copyPath)
    losses += copy.faults.map { "in the second copy: \($0)" }
    if copy.contents != contents {
      losses.append("in the second copy: \(contents.difference(to: copy.contents))")
    }
    losses += partials().map { "remaining file of a copy: \($0)" }
    // The copy records the same files as unreferenced as the database, until it is opened.
    try MagicObjectStore.open(.file(copyPath)).close()
    losses += try StoredState(at: copyPath).leftovers.map { "in the second copy: \($0)" }
    try removeCopy()
  }

  private func partials() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.url.path)) ?? [])
      .filter { $0.contains(".partial-") }
  }
}

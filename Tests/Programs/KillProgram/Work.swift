import Foundation
import MagicAssets
import MagicData
import MagicSQLite
import MagicStore
import MagicTestSupport

/// Makes pseudorandom calls of a store, each announced before and acknowledged after it.
final class Work {
  let mode: Mode
  let store: MagicObjectStore
  /// The same database, for tasks.
  private let magic: MagicData
  private(set) var contents: Contents
  private var random: SeededRandom
  private var lastNumber: Int
  private let killSwitch: KillSwitch
  let path: String
  /// The changes of the running call until it is acknowledged.
  private var running: [Change]?

  init(_ arguments: Arguments, _ killSwitch: KillSwitch) throws {
    mode = arguments.mode
    path = arguments.path
    self.killSwitch = killSwitch
    random = SeededRandom(arguments.seed)
    // Writes of a killed program remain, synced or not. Syncs take most of the time, so only some
    // rounds sync: they give a kill by the test more moments between operations.
    let isSynced = arguments.seed % 4 == 0
    if arguments.seed % 3 == 0 { try Self.makeEarlierFile(at: path) }
    store = try MagicObjectStore.open(
      .file(path), options: killSwitch.options(arguments.mode, isSynced: isSynced))
    let taskOptions = MagicOptions(durability: isSynced ? .full : .normal)
    magic = try waiting { try await MagicData(path: arguments.path, options: taskOptions) }
    contents = try Contents(reading: store)
    lastNumber = max(
      contents.versions.max() ?? 0, contents.letters.keys.max() ?? 0,
      contents.envelopes.keys.max() ?? 0)
  }

  /// Creates a file as earlier versions of the library did: its free pages cannot be returned until
  /// it is compacted.
  private static func makeEarlierFile(at path: String) throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    let connection = try SQLiteConnection(path: path)
    defer { connection.close() }
    try connection.execute("PRAGMA auto_vacuum = NONE; VACUUM")
  }

  func close() throws {
    try waiting { [magic] in await magic.close() }
    store.close()
  }

  /// Returns an unused number.
  func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func random(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  func random(of numbers: some Collection<Int>) -> Int? {
    numbers.sorted().randomElement(using: &random)
  }

  /// Makes one call, or several concurrent calls.
  func step() throws {
    if mode == .sound, random(0...7) == 0 {
      let calls = try nextConcurrentCalls()
      try run(calls)
    } else {
      try run(nextCall())
    }
  }

  /// Makes one call, so that all calls are made in one order.
  func stepSequentially() throws { try run(nextCall()) }

  private func run(_ call: Call) throws {
    let obsolete =
      mode == .unlinkfirst && !call.isRefused ? try files(unreferencedAfter: call.changes) : []
    Message.begin([call.changes]).send()
    running = call.changes
    killSwitch.willCommit = { [self] in
      if mode == .ackfirst { acknowledge() }
      for path in obsolete { unlink(path) }
    }
    do {
      try call.run(store)
      if call.isRefused { throw UnexpectedSuccess() }
    } catch is Refused where call.isRefused {}
    killSwitch.willCommit = {}
    killSwitch.reportCommit()
    acknowledge()
    contents.apply(call.changes)
  }

  /// Makes concurrent calls, of which some share a commit.
  private func run(_ calls: [TaskCall]) throws {
    Message.begin(calls.map(\.changes)).send()
    try waiting { [magic, killSwitch] in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for call in calls {
          group.addTask {
            try await call.run(magic)
            killSwitch.reportCommit()
            Message.acknowledge(call.changes).send()
          }
        }
        try await group.waitForAll()
      }
    }
    for call in calls { contents.apply(call.changes) }
  }

  private func acknowledge() {
    guard let changes = running else { return }
    running = nil
    Message.acknowledge(changes).send()
  }

  /// The files that no row refers to after a call.
  private func files(unreferencedAfter changes: [Change]) throws -> [String] {
    let dropped = contents.versions.subtracting(contents.applying(changes).versions)
    let letters = try store.object(of: Letter.self)
      .filter { dropped.contains($0.version) }.compactMap(\.scan.path?.path)
    let envelopes = try store.object(of: Envelope.self)
      .filter { dropped.contains($0.version) }.compactMap(\.photo.path?.path)
    return Array(Set(letters + envelopes))
  }
}

private struct UnexpectedSuccess: Error {}

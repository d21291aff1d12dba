import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// The write-ahead log of an open database: removed, replaced, truncated, emptied or overwritten by
/// another program.
@Suite struct MovedLogTests {
  let scratch = Scratch()

  private var log: String { scratch.file("test.sqlite3-wal") }

  /// What another program does to the log.
  enum Attack: CaseIterable, Sendable {
    case remove, replace, rename
    case empty, cutOff, overwrite

    /// Whether the attack destroys the contents of the log.
    var destroys: Bool {
      switch self {
      case .remove, .replace, .rename: false
      case .empty, .cutOff, .overwrite: true
      }
    }

    func attack(_ log: String) throws {
      switch self {
      case .remove: try FileManager.default.removeItem(atPath: log)
      case .replace:
        try FileManager.default.copyItem(atPath: log, toPath: log + ".other")
        try FileManager.default.removeItem(atPath: log)
        try FileManager.default.moveItem(atPath: log + ".other", toPath: log)
      case .rename: try FileManager.default.moveItem(atPath: log, toPath: log + ".other")
      case .empty: try write { _ in Data() }
      case .cutOff: try write { $0.prefix($0.count / 2) }
      case .overwrite: try write { Data(repeating: 7, count: $0.count) }
      }

      /// Changes the contents of the log in place; its inode stays the same.
      func write(_ change: (Data) -> Data) throws {
        let bytes = change(try Data(contentsOf: URL(fileURLWithPath: log)))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        defer { try? handle.close() }
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: bytes)
      }
    }
  }

  @Test(arguments: Attack.allCases, [MagicOptions.Durability.full, .normal])
  func noSaveIsAcknowledgedAndNothingIsLost(
    attack: Attack, durability: MagicOptions.Durability
  ) async throws {
    let magic = try await MagicData(
      path: scratch.file(), options: MagicOptions(durability: durability))
    try await magic.update(Note("0"))
    let other = try scratch.raw()
    _ = try other.integer("PRAGMA wal_checkpoint(PASSIVE)")
    other.close()
    for number in 1...30 { try await magic.update(Note("\(number)")) }
    try attack.attack(log)
    for write in writes(of: magic) { await expect(.fileMoved) { try await write() } }
    await magic.close()

    if attack.destroys, durability == .full {
      await scratch.expectRefusal(.lostDatabase)
    }
    try await scratch.using(MagicOptions(acceptsLostLog: true)) { magic async throws in
      let count = try await magic.texts().count
      #expect(attack.destroys ? (1...31).contains(count) : count == 31)
      #expect(try await magic.verify().isSound)
      try await magic.update(Note("more"))
    }
    try await scratch.using { magic async throws in
      #expect(try await magic.texts().last == "more")
    }
  }

  @Test func aLogThatIsMovedBackAcceptsWritesAgain() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Note("a"))
      try FileManager.default.moveItem(atPath: log, toPath: log + ".other")
      await expect(.fileMoved) { try await magic.update(Note("b")) }
      try FileManager.default.moveItem(atPath: log + ".other", toPath: log)
      try await magic.update(Note("b"))
    }
    #expect(try await scratch.using { try await $0.texts() } == ["a", "b"])
  }

  @Test func aLogThatAnotherProcessTruncatesByACheckpointIsNoError() async throws {
    try await scratch.using { magic async throws in
      for number in 0..<5 {
        try await magic.update(Note("\(number)"))
        let other = try scratch.raw()
        #expect(try other.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
        other.close()
        #expect(FileManager.default.contents(atPath: log)?.isEmpty == true)
      }
      #expect(try await magic.texts().count == 5)
    }
  }

  /// The log is replaced before the first write of this connection.
  @Test func aLogThatAnotherProcessHasCreatedMeanwhileIsNotWritten() async throws {
    try await scratch.using { try await $0.update(Note("a")) }
    let magic = try await MagicData(path: scratch.file())
    try FileManager.default.removeItem(atPath: log)
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let other = try await MagicData(path: path)
      try await other.update(Note("b"))
      _exit(0)
    }
    for write in writes(of: magic) { await expect(.fileMoved) { try await write() } }
    await magic.close()
    #expect(try await scratch.using { try await $0.texts() } == ["a", "b"])
  }

  @Test func aDatabaseEmptiedBeforeItsFirstUseIsNotAnEmptyDatabase() async throws {
    try await scratch.using { try await $0.update(Note("a")) }
    let magic = try await MagicData(path: scratch.file())
    let handle = try FileHandle(forWritingTo: scratch.url())
    try handle.truncate(atOffset: 0)
    try handle.close()
    for write in writes(of: magic) { await expect(.fileMoved) { try await write() } }
    await expect(.fileMoved) { _ = try await magic.object(of: Ticket.self) }
    await magic.close()
  }

  @Test func anEmptiedDatabaseIsNotAnEmptyDatabase() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("a"))
    let handle = try FileHandle(forWritingTo: scratch.url())
    try handle.truncate(atOffset: 0)
    try handle.close()
    for write in writes(of: magic) { await expect(.fileMoved) { try await write() } }
    // A read of a type without a table, and a read that opens a new connection.
    await expect(.fileMoved) { _ = try await magic.object(of: Ticket.self) }
    await expect(.fileMoved) { _ = try await magic.query(Ticket.self).count() }
    do {
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 { group.addTask { try await magic.query(Note.self).count() } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(counts.allSatisfy { $0 == 1 })
    } catch let error as MagicError {
      #expect(error.code == .fileMoved)
    }
    await magic.close()
  }
}

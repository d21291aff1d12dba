import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Other connections that lock the file or read it for a long time.
@Suite struct LockTests {
  let scratch = Scratch()

  @Test func aWriteThatWaitsTooLongIsBusyAndReadsStillSucceed() async throws {
    try await scratch.using(MagicOptions(busyTimeout: 0.2)) { magic async throws in
      try await magic.update(Note("a"))
      let other = try scratch.raw()
      try other.execute("BEGIN IMMEDIATE")
      for write in writes(of: magic) {
        let start = ContinuousClock.now
        await expect(.busy) { try await write() }
        let waited = ContinuousClock.now - start
        #expect(waited >= .milliseconds(150) && waited < .seconds(60))
      }
      #expect(try await magic.texts() == ["a"])
      try other.execute("ROLLBACK")
      try await magic.update(Note("b"))
      #expect(try await magic.texts() == ["a", "b"])
    }
  }

  @Test func aTransactionWritesToTheStateThatItHasRead() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Note("1"))
      let path = scratch.path
      try await magic.transaction { transaction in
        let note = try transaction.object(of: Note.self)[0]
        // No other connection can write between the read and the write.
        let other = try SQLiteConnection(
          path: path + "/test.sqlite3",
          configuration: SQLiteConfiguration(access: .readWriteExisting, busyTimeout: 0))
        #expect(throws: SQLiteError.self) { try other.execute("UPDATE Note SET text = '9'") }
        note.text = "\((Int(note.text) ?? 0) + 1)"
        try transaction.update(note)
      }
      #expect(try await magic.texts() == ["2"])
    }
  }

  @Test func aLongReadKeepsItsSnapshotAndNoWriteOfOthersIsLost() async throws {
    try await scratch.using { magic async throws in
      let note = Note("1")
      try await magic.update(note)
      let (began, written) = (Flag(), Flag())
      let reading = Task {
        try await magic.read { snapshot in
          let before = try snapshot.object(of: Note.self).map(\.text)
          began.set()
          written.wait()
          return [before, try snapshot.object(of: Note.self).map(\.text)]
        }
      }
      try #require(await eventually { began.isSet })
      note.text = "2"
      try await magic.update(note)
      let other = try scratch.raw()
      try other.execute("UPDATE Note SET stars = 5")
      written.set()
      #expect(try await reading.value == [["1"], ["1"]])
      let stored = try await magic.object(of: Note.self)
      #expect(stored.map(\.text) == ["2"])
      #expect(stored.map(\.stars) == [5])
    }
  }
}

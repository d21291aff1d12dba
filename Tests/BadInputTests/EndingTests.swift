import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// Calls that are cancelled, nested, or made after the database was closed.
@Suite struct EndingTests {
  let scratch = Scratch()

  @Test func aTransactionCancelledDuringAStatementStoresNothingAndNoOtherWriteFails() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Note("kept"))
      let began = Flag()
      let task = Task {
        try await magic.transaction { transaction in
          try transaction.update(Note("before"))
          began.set()
          _ = try? transaction.sql(
            """
            UPDATE Note SET stars = (WITH RECURSIVE n (i) AS \
            (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n)
            """
          ).run()
          try transaction.update(Note("after"))
        }
      }
      try #require(await eventually { began.isSet })
      let other = Task { try await magic.update(Note("other")) }
      try await Task.sleep(nanoseconds: 50_000_000)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      _ = try await other.value
      let notes = try await magic.object(of: Note.self)
      #expect(notes.map(\.text) == ["kept", "other"])
      #expect(notes.allSatisfy { $0.stars == nil })
    }
  }

  @Test func aSaveOfAnotherTaskIsNotRolledBackWithATransaction() async throws {
    struct Stop: Error {}
    try await scratch.using { magic async throws in
      try await magic.update(Note("kept"))
      let (began, mayEnd) = (Flag(), Flag())
      let task = Task {
        try await magic.transaction { transaction in
          try transaction.update(Note("mine"))
          began.set()
          mayEnd.wait()
          throw Stop()
        }
      }
      try #require(await eventually { began.isSet })
      let others = (0..<10).map { number in
        Task { try await magic.update(Note("other \(number)")) }
      }
      try await Task.sleep(nanoseconds: 50_000_000)
      mayEnd.set()
      await #expect(throws: Stop.self) { try await task.value }
      for other in others { _ = try await other.value }
      #expect(
        Set(try await magic.texts()) == Set(["kept"] + (0..<10).map { "other \($0)" }))
    }
  }

  @Test func aNestedTransactionIsRolledBackWithoutItsOuterOne() async throws {
    struct Stop: Error {}
    try await scratch.using { magic async throws in
      try await magic.transaction { outer in
        try outer.update(Note("outer"))
        #expect(throws: Stop.self) {
          try outer.transaction { inner in
            try inner.update(Note("inner"))
            throw Stop()
          }
        }
      }
      #expect(try await magic.texts() == ["outer"])
    }
  }

  @Test func everyCallOfAClosedDatabaseThrowsClosed() async throws {
    let magic = try await MagicData(path: scratch.file())
    let photo = Photo("a", "picture")
    try await magic.update(photo)
    try await magic.update(Note("a"))
    let query = magic.query(Note.self)
    let stream = magic.changes(of: Note.self)
    let fetched = try await magic.object(of: Photo.self)[0]
    await magic.close()
    await magic.close()
    let calls: [@Sendable () async throws -> Void] = [
      { _ = try await magic.texts() }, { _ = try await query.count() },
      { _ = try await magic.sql("SELECT 1").rows(Int.self) },
      { _ = try await magic.read { try $0.object(of: Note.self).count } },
      { _ = try await magic.verify() },
      { try await magic.backup(to: NSTemporaryDirectory() + "x") },
      { try await magic.migrate(Note.self) },
      { for try await _ in query.stream() {} }, { _ = try fetched.picture.load() },
      { _ = try await magic.asset(of: Data.self, contentsOf: URL(fileURLWithPath: "/dev/null")) },
    ]
    for call in calls + writes(of: magic) { await expect(.closed) { try await call() } }
    for await _ in stream { Issue.record("nothing changes in a closed database") }
    try await scratch.using { magic async throws in
      #expect(try await magic.texts() == ["a"])
      #expect(try await magic.pictures() == ["a": "picture"])
    }
    #expect(scratch.contentsWithoutEmptyLogs["test.sqlite3-wal"] == nil)
  }
}

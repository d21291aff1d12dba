import EngineConformance
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// A snapshot whose body reads a table of an older program: the body runs again, also if it caught
/// the error.
@Suite(.timeLimit(.minutes(5))) struct OutdatedSnapshotTests {
  private let scratch = Scratch()

  struct Failure: Error {}

  private func withOldFile(
    _ options: MagicOptions = .init(), _ body: (MagicObjectStore) throws -> Void
  ) throws {
    try scratch.using { try $0.update(Old.Item(name: "a")) }
    try scratch.using(options, body)
  }

  @Test func aBodyThatIgnoresTheErrorRunsAgain() throws {
    try withOldFile { store in
      let count = try store.read { (try? $0.object(of: Added.Item.self))?.count }
      #expect(count == 1)
    }
  }

  @Test func aBodyThatThrowsAnotherErrorRunsAgain() throws {
    try withOldFile { store in
      let count = try store.read { snapshot in
        do { return try snapshot.object(of: Added.Item.self).count } catch { throw Failure() }
      }
      #expect(count == 1)
    }
  }

  @Test func theBodyReceivesOnlyErrorsOfTheLibrary() throws {
    try withOldFile { store in
      var errors: [any Error] = []
      try store.read { snapshot in
        for _ in 0..<2 {
          do { _ = try snapshot.object(of: Added.Item.self) } catch { errors.append(error) }
        }
        // The state that it could read is read again.
        do { _ = try snapshot.object(of: Note.self) } catch { errors.append(error) }
      }
      #expect(errors.count == 3)
      #expect(errors.allSatisfy { ($0 as? MagicError)?.code == .transactionOver })
    }
  }

  @Test func aSnapshotInsideASnapshotRunsAgainWithIt() throws {
    try withOldFile { store in
      let count = try store.read { outer in
        try? outer.read { inner in (try? inner.object(of: Added.Item.self))?.count ?? 0 }
      }
      #expect(count == 1)
    }
  }

  @Test func aSnapshotInsideATransactionRunsAgain() throws {
    try withOldFile { store in
      let count = try store.transaction { transaction in
        try transaction.update(Note("x"))
        return try transaction.read { (try? $0.object(of: Added.Item.self))?.count }
      }
      #expect(count == 1)
      #expect(try store.object(of: Note.self).count == 1)
    }
  }

  @Test func aSnapshotOfATaskRunsAgain() async throws {
    try scratch.using { try $0.update(Old.Item(name: "a")) }
    let store = try scratch.open()
    let count = try await store.database.reading { reader in
      try reader.run { (try? $0.object(of: Added.Item.self))?.count }
    }
    #expect(count == 1)
  }

  @Test func aTableThatCannotBeMigratedIsAnErrorEvenIfTheBodyIgnoresIt() throws {
    try withOldFile { store in
      let error = #expect(throws: MagicError.self) {
        try store.read { (try? $0.object(of: Required.Item.self))?.count }
      }
      #expect(error?.code == .needsMigration)
    }
  }

  @Test func aReadOnlyDatabaseIsReadInOneRun() throws {
    try withOldFile(MagicOptions(readOnly: true)) { store in
      var runs = 0
      let count = try store.read { snapshot in
        runs += 1
        return (try? snapshot.object(of: Added.Item.self))?.count
      }
      #expect(count == 1)
      #expect(runs == 1)
    }
  }
}

import EngineConformance
import MagicSQLite
import MagicSchema
@testable import MagicStore
import MagicTestSupport
import SQLiteEngine
import SQLiteStore
import TestModels
import Testing

/// Transactions of threads, and errors in them.
@Suite(.everyEngine) struct StoreTransactionTests {
  let scratch = Scratch()

  private struct Stop: Error {}

  @Test func aTransactionOfAThreadIsStoredTogetherOrNotAtAll() throws {
    let store = try scratch.open()
    defer { store.close() }
    let count = try store.transaction { transaction in
      try transaction.update(contentsOf: ["a", "b"].map { Note($0) })
      return try transaction.object(of: Note.self).count
    }
    #expect(count == 2)
    #expect(throws: Stop.self) {
      try store.transaction { transaction in
        try transaction.removeAll(of: Note.self)
        throw Stop()
      }
    }
    #expect(try store.object(of: Note.self).map(\.text) == ["a", "b"])
  }

  @Test(.requires(.statements)) func aTransactionThatSQLiteRolledBackIsNotContinued() throws {
    let store = try scratch.open()
    defer { store.close() }
    try store.update(Note("kept"))
    let new = Note("new")
    var codes: [MagicError.Code?] = []
    let error = #expect(throws: MagicError.self) {
      try store.transaction { transaction in
        try transaction.update(new)
        // As SQLite does by itself when the disk is full.
        let context = transaction.context
        context.rollBackForTest()
        codes = [
          code { try context._write(isOneRow: true) { _ in } },
          code { try context._read { _ in } },
        ]
      }
    }
    #expect(error != nil)
    #expect(codes == [.transactionOver, .transactionOver])
    #expect(new.zIndex == nil)
    #expect(try store.object(of: Note.self).map(\.text) == ["kept"])
    try store.transaction { try $0.update(new) }
    #expect(try store.object(of: Note.self).count == 2)
  }

  @Test func aTransactionIsInvalidAfterItsBody() throws {
    let store = try scratch.open()
    defer { store.close() }
    var kept: _MagicTransactionContext?
    try store.transaction { kept = $0.context }
    let context = try #require(kept)
    var error = #expect(throws: MagicError.self) { try context.object(of: Note.self) }
    #expect(error?.code == .transactionOver)
    error = #expect(throws: MagicError.self) { try context.update(Note("a")) }
    #expect(error?.code == .transactionOver)
  }

  @Test func aSnapshotIsInvalidAfterItsBody() throws {
    let store = try scratch.open()
    defer { store.close() }
    var kept: _MagicSnapshotContext?
    try store.read { kept = $0.context }
    let context = try #require(kept)
    let error = #expect(throws: MagicError.self) { try context.object(of: Note.self) }
    #expect(error?.code == .transactionOver)
  }

  @Test func aNestedCallInATransactionIsAnError() throws {
    let store = try scratch.open()
    defer { store.close() }
    try store.transaction { transaction in
      try transaction.update(Note("a"))
      let error = #expect(throws: MagicError.self) { try store.update(Note("b")) }
      #expect(error?.code == .nestedCall)
    }
    #expect(try store.object(of: Note.self).map(\.text) == ["a"])
  }
}

extension _MagicTransactionContext {
  fileprivate func rollBackForTest() {
    try? _write(isOneRow: true) { access in
      (access.engine.reader as? StoreConnection)?.connection.rollBack()
    }
  }
}

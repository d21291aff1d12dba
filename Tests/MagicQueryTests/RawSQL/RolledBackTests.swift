import MagicQuery
import MagicSQLite
import MagicStatements
import Testing

/// A transaction that SQLite rolls back before its end.
@Suite struct RolledBackTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet.manned() }

  private func error(_ body: () throws -> Void) -> MagicError? {
    do {
      try body()
      return nil
    } catch {
      return error as? MagicError
    }
  }

  /// Ends the transaction, as SQLite does by itself when the disk is full.
  private func end(_ transaction: borrowing MagicTransaction) -> MagicError? {
    error {
      try transaction.sql("INSERT OR ROLLBACK INTO Sailor (id, name, age) VALUES ('ada', 'x', 1)")
        .run()
    }
  }

  @Test func theCallerReceivesTheErrorThatEndedIt() throws {
    var later: MagicError?
    let thrown = error {
      try fleet.store.transaction { transaction in
        try transaction.update(Sailor("Zoe"))
        #expect(end(transaction)?.code == .notUnique)
        later = error { try transaction.update(Sailor("Yan")) }
        _ = try transaction.object(of: Sailor.self)
      }
    }
    #expect(later?.code == .transactionOver)
    #expect((later?.cause as? SQLiteError)?.code == .constraint)
    #expect(thrown?.code == .notUnique)
    #expect(try fleet.names == ["Ada", "Bob", "Cy"])
  }

  @Test func aBodyThatIgnoresTheErrorFailsWithIt() throws {
    let new = Sailor("Zoe")
    let thrown = error {
      try fleet.store.transaction { transaction in
        try transaction.update(new)
        _ = end(transaction)
      }
    }
    #expect(thrown?.code == .notUnique)
    #expect(new.zIndex == nil)
    try fleet.store.update(new)
    #expect(try fleet.names == ["Ada", "Bob", "Cy", "Zoe"])
  }

  @Test func anErrorOfTheBodyIsThrownUnchanged() throws {
    struct Own: Error {}
    #expect(throws: Own.self) {
      try fleet.store.transaction { transaction in
        _ = end(transaction)
        throw Own()
      }
    }
    #expect(try fleet.names == ["Ada", "Bob", "Cy"])
  }
}

import MagicQuery
import MagicSQLite
import MagicStatements
import MagicTestSupport
import Testing

/// Raw SQL that writes, and later calls of the library.
@Suite struct SQLWritingTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet.manned() }

  @Test func runReturnsTheNumberOfChangedRows() throws {
    let store = fleet.store
    #expect(try store.sql("UPDATE Sailor SET age = age + \(1) WHERE age > \(30)").run() == 2)
    #expect(try store.sql("DELETE FROM Sailor WHERE name = \("Nobody")").run() == 0)
    #expect(
      try store.sql("INSERT INTO Sailor (id, name, age) VALUES (\("d"), \("Dee"), \(1))").run() == 1
    )
    #expect(try store.sql("CREATE TABLE other (a)").run() == 0)
    #expect(try store.sql("CREATE TABLE IF NOT EXISTS other (a)").run() == 0)
    #expect(try store.sql("SELECT * FROM Sailor").run() == 0)
    #expect(
      try store.sql("WITH x AS (SELECT 1) UPDATE Sailor SET rank = NULL WHERE 1 IN x").run() == 4)
    #expect(
      try store.sql("SELECT name, age FROM Sailor ORDER BY age").rows(String.self, Int.self)
        .map { $0.1 } == [1, 25, 37, 42])
  }

  private func expectRefusalOfReads(by sql: MagicSQL) throws {
    let calls: [() throws -> Void] = [
      { _ = try fleet.store.sql(sql).rows() }, { _ = try fleet.store.sql(sql).rows(String.self) },
      { _ = try fleet.store.sql(sql).value(Int.self) },
      { _ = try fleet.store.sql(sql).objects(of: Sailor.self) },
      { _ = try fleet.store.read { try $0.sql(sql).rows() } },
    ]
    for call in calls {
      let error = #expect(throws: MagicError.self) { try call() }
      #expect(error?.code == .invalidQuery)
      #expect(
        error?.message
          == "The statement writes. Use run(), or a transaction to read the rows that it returns.")
    }
    #expect(try fleet.names == ["Ada", "Bob", "Cy"])
  }

  @Test func aReadDoesNotWrite() throws {
    for sql: MagicSQL in [
      "DELETE FROM Sailor", "UPDATE Sailor SET age = 1", "CREATE TABLE other (a)",
      "DROP TABLE Sailor",
    ] {
      try expectRefusalOfReads(by: sql)
    }
  }

  @Test(.enabled(if: SQLiteFeature.returning.isThere, "RETURNING needs SQLite 3.35."))
  func aReadDoesNotReturnWhatItWrites() throws {
    try expectRefusalOfReads(
      by: "INSERT INTO Sailor (id, name, age) VALUES ('d', 'Dee', 1) RETURNING id")
  }

  @Test func aSnapshotInsideATransactionDoesNotWriteEither() throws {
    try fleet.store.transaction { transaction in
      let error = #expect(throws: MagicError.self) {
        try transaction.read { try $0.sql("DELETE FROM Sailor").rows() }
      }
      #expect(error?.code == .invalidQuery)
    }
    #expect(try fleet.names.count == 3)
  }

  @Test(.enabled(if: SQLiteFeature.returning.isThere, "RETURNING needs SQLite 3.35."))
  func aTransactionReadsWhatAStatementReturns() throws {
    try fleet.store.transaction { transaction in
      let rows = try transaction.sql("UPDATE Sailor SET age = 0 WHERE age > 30 RETURNING name")
        .rows(
          String.self)
      #expect(rows == ["Ada", "Cy"])
      let first = try transaction.sql("UPDATE Sailor SET pay = 1 RETURNING name").row(String.self)
      #expect(first == "Ada")
    }
    #expect(
      try fleet.store.sql("SELECT sum(pay), sum(age) FROM Sailor").row(Double.self, Int.self)! == (
        3, 25
      ))
  }

  @Test(.enabled(if: SQLiteFeature.returning.isThere, "RETURNING needs SQLite 3.35."))
  func aStatementWithAWrongResultTypeIsRolledBack() throws {
    try fleet.store.transaction { transaction in
      let error = #expect(throws: MagicError.self) {
        try transaction.sql("UPDATE Sailor SET age = 0 RETURNING rank").rows(String.self)
      }
      #expect(error?.code == .cannotDecode)
      #expect(throws: MagicError.self) {
        try transaction.sql("UPDATE Sailor SET age = 0 RETURNING rank").rows(String?.self, Int.self)
      }
    }
    #expect(try fleet.store.sql("SELECT min(age) FROM Sailor").value(Int.self) == 25)
  }

  @Test func aTransactionThatThrowsRollsRawSQLBack() throws {
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      try fleet.store.transaction { transaction in
        try transaction.sql("DELETE FROM Sailor").run()
        #expect(try transaction.object(of: Sailor.self).isEmpty)
        throw Enough()
      }
    }
    #expect(try fleet.names.count == 3)
  }

  @Test func aRowIDThatRawSQLDeletedIsNotAssignedAgain() throws {
    try fleet.store.transaction { transaction in
      let last = try transaction.update(Sailor("Dee"))
      try transaction.sql("DELETE FROM Sailor WHERE name = \("Dee")").run()
      #expect(try transaction.update(Sailor("Eve")) > last)
    }
    let eve = try fleet.store.object(of: Sailor.self, primary: "eve")
    try fleet.store.sql("DELETE FROM Sailor WHERE z_index = \(eve)").run()
    #expect(try fleet.store.update(Sailor("Fay")).rawValue == eve.zIndex!.rawValue + 1)
  }

  @Test func aRowIDThatRawSQLInsertedIsNotAssignedAgain() throws {
    try fleet.store.transaction { transaction in
      try transaction.update(Sailor("Dee"))
      try transaction.sql(
        "INSERT INTO Sailor (z_index, id, name, age) VALUES (\(90), 'e', 'E', 1)"
      ).run()
      #expect(try transaction.update(Sailor("Fay")).rawValue == 91)
    }
  }

  @Test func autoIncrementPrimariesContinueAfterThoseOfRawSQL() throws {
    try fleet.store.transaction { transaction in
      let first = Pennant("one")
      try transaction.update(first)
      #expect(first.number == 1)
      try transaction.sql("INSERT INTO \(table: Pennant.self) (number, text) VALUES (\(40), 'x')")
        .run()
      let next = Pennant("two")
      try transaction.update(next)
      #expect(next.number == 41)
    }
  }

  @Test func autoIncrementPrimariesOfDeletedRowsAreNotAssignedAgain() throws {
    try fleet.store.transaction { transaction in
      try transaction.update(contentsOf: [Pennant("one"), Pennant("two")])
      try transaction.sql("DELETE FROM \(table: Pennant.self)").run()
      let next = Pennant("three")
      try transaction.update(next)
      #expect(next.number == 3)
    }
  }

  @Test func deleteRulesAreEnforced() throws {
    let bob = try fleet.store.object(of: Sailor.self, primary: "bob")
    try fleet.store.update(Contract(bob))
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("DELETE FROM Sailor WHERE z_index = \(bob)").run()
    }
    #expect(error?.code == .stillReferenced)
    #expect(try fleet.names.count == 3)
    try fleet.store.sql("DELETE FROM \(table: Contract.self)").run()
    try fleet.store.sql("DELETE FROM Sailor WHERE z_index = \(bob)").run()
    #expect(try fleet.names == ["Ada", "Cy"])
  }

  @Test func aReferenceToARowThatRawSQLDeletedIsBroken() throws {
    let vessel = Vessel("Argo")
    try fleet.store.transaction { transaction in
      let dee = Sailor("Dee")
      try transaction.update(dee)
      try transaction.sql("DELETE FROM Sailor WHERE z_index = \(dee)").run()
      vessel.captain = dee
      try transaction.update(vessel)
    }
    #expect(try fleet.store.object(of: Vessel.self, primary: "Argo").captain == nil)
  }

  @Test func joinRowsCanBeWritten() throws {
    let vessel = Vessel("Argo")
    let sailors = try fleet.store.object(of: Sailor.self)
    try fleet.store.update(vessel)
    try fleet.store.sql(
      """
      INSERT INTO \(links: \Vessel.$crew) (owner, position, target) \
      VALUES (\(vessel), \(1), \(sailors[2])), (\(vessel), \(2), \(sailors[0]))
      """
    ).run()
    #expect(
      try fleet.store.object(of: Vessel.self, primary: "Argo").crew.map(\.name) == ["Cy", "Ada"])
  }

  @Test func theLibrarysOwnTablesCannotBeWritten() throws {
    for sql: MagicSQL in [
      "DELETE FROM magic_catalogue", "UPDATE MAGIC_FORMAT SET version = 9",
      "INSERT INTO \"magic_relationships\" VALUES (1, 2, 3, 4, 5, 6)", "DROP TABLE magic_catalogue",
      "ALTER TABLE magic_format RENAME TO x", "CREATE INDEX i ON magic_catalogue (type_name)",
      "WITH x AS (SELECT 1) DELETE FROM main.magic_catalogue",
      "CREATE TRIGGER t AFTER DELETE ON magic_catalogue BEGIN SELECT 1; END",
    ] {
      let error = #expect(throws: MagicError.self) { try fleet.store.sql(sql).run() }
      #expect(error?.code == .invalidQuery, "\(sql)")
    }
    #expect(try fleet.store.sql("SELECT count(*) FROM magic_catalogue").value(Int.self) == 1)
    // The library's trigger writes to them.
    #expect(try fleet.store.sql("DELETE FROM Sailor").run() == 3)
    #expect(try fleet.store.sql("SELECT high_water FROM magic_catalogue").value(Int.self) == 3)
  }

  @Test func theLibrarysOwnStatementsCannotBeUsed() throws {
    // The SQL with which the library deletes the relationships of a type.
    let sql: MagicSQL = "DELETE FROM \"magic_relationships\" WHERE \"owner_table\" = \("Vessel")"
    try fleet.store.update(Vessel("Ark"))
    let count: MagicSQL = "SELECT count(*) FROM magic_relationships"
    let before = try fleet.store.sql(count).value(Int.self)
    for _ in 0..<2 {
      let error = #expect(throws: MagicError.self) { try fleet.store.sql(sql).run() }
      #expect(error?.code == .invalidQuery)
    }
    #expect(try fleet.store.sql(count).value(Int.self) == before)
  }

  @Test func aRollbackInAStatementEndsTheTransaction() throws {
    #expect(throws: MagicError.self) { try continueAfterRollback() }
    #expect(try fleet.names == ["Ada", "Bob", "Cy"])
    #expect(try fleet.store.sql("DELETE FROM Sailor").run() == 3)
  }

  private func continueAfterRollback() throws {
    try fleet.store.transaction { transaction in
      try transaction.update(Sailor("Dee"))
      let error = #expect(throws: MagicError.self) {
        try transaction.sql(
          "INSERT OR ROLLBACK INTO Sailor (id, name, age) VALUES ('ada', 'x', 1)"
        ).run()
      }
      #expect(error?.code == .notUnique)
      _ = try? transaction.update(Sailor("Eve"))
      _ = try? transaction.sql("DELETE FROM Sailor").run()
    }
  }

  @Test func statementsCreateTheTablesOfTypesThatTheyName() throws {
    let empty = try Fleet()
    #expect(try empty.store.sql("SELECT count(*) FROM \(table: Sailor.self)").value(Int.self) == 0)
    #expect(
      try empty.store.sql("INSERT INTO \(table: Pennant.self) (number, text) VALUES (5, 'x')").run()
        == 1)
    let pennant = Pennant("y")
    try empty.store.update(pennant)
    #expect(pennant.number == 6)
    #expect(try empty.store.sql("SELECT owner FROM \(links: \Vessel.$crew)").rows(Int.self).isEmpty)
    try empty.store.read { snapshot in
      let rows = try snapshot.sql(
        "SELECT \(column: \Contract.$sailor) FROM \(table: Contract.self)"
      ).rows()
      #expect(rows.isEmpty)
    }
  }
}

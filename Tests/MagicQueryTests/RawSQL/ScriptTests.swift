import MagicQuery
import MagicStatements
import Testing

/// Several statements in one transaction.
@Suite struct ScriptTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet.manned() }

  private func error(_ sql: MagicSQL) throws -> MagicError? {
    let before = try fleet.names
    let error = #expect(throws: MagicError.self) { try fleet.store.sql(sql).runScript() }
    #expect(try fleet.names == before)
    return error
  }

  @Test func theStatementsRunOneAfterTheOther() throws {
    let changed = try fleet.store.sql(
      """
      -- The first; a comment.
      UPDATE \(table: Sailor.self) SET name = name || \(";") WHERE age > \(30);
      DELETE FROM \(table: Sailor.self) WHERE age = :age; ;
      INSERT INTO \(table: Pennant.self) (\(column: \Pennant.$number), \(column: \Pennant.$text))
      VALUES (1, \("a;b"))
      """
    ).bind("age", to: 25).runScript()
    #expect(changed == 4)
    #expect(try fleet.names == ["Ada;", "Cy;"])
    #expect(try fleet.store.object(of: Pennant.self).map(\.text) == ["a;b"])
  }

  @Test func aTriggerIsOneStatement() throws {
    try fleet.store.sql(
      """
      CREATE TRIGGER renamed AFTER UPDATE OF age ON Sailor BEGIN
        UPDATE Sailor SET name = CASE WHEN new.age > 90 THEN 'old' ELSE 'young' END
        WHERE z_index = new.z_index;
      END;
      UPDATE Sailor SET age = 99 WHERE name = 'Bob';
      """
    ).runScript()
    #expect(try fleet.names.sorted() == ["Ada", "Cy", "old"])
  }

  @Test func theErrorNamesTheStatementAndNothingIsStored() throws {
    let syntax = try error("DELETE FROM Sailor; SELEC 1; DELETE FROM Sailor")
    #expect(syntax?.code == .invalidQuery)
    #expect(syntax?.message.hasPrefix("Statement 2 of the script: Invalid SQL: ") == true)
    let unique = try error(
      "DELETE FROM Sailor WHERE name = 'Bob'; UPDATE Sailor SET z_index = 7, id = 'x';")
    #expect(unique?.message.hasPrefix("Statement 2 of the script: ") == true)
    let forbidden = try error("DELETE FROM Sailor; COMMIT")
    #expect(forbidden?.code == .invalidQuery)
    #expect(
      forbidden?.message.hasPrefix("Statement 2 of the script: COMMIT is not allowed") == true)
  }

  @Test func anEmptyScriptAndValuesWithoutParametersAreErrors() throws {
    #expect(try error(" ; -- nothing\n;")?.message == "The script contains no statement.")
    #expect(try error("DELETE FROM Sailor; SELECT '\(1)'")?.code == .invalidQuery)
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT 1; SELECT :a").bind("a", to: 1).bind("b", to: 2).runScript()
    }
    #expect(error?.message == "The SQL has no parameter :b, but a value was bound to it.")
  }

  @Test func inATransactionOnlyTheScriptIsRolledBack() throws {
    try fleet.store.transaction { transaction in
      try transaction.update(Sailor("Zoe"))
      #expect(throws: MagicError.self) {
        try transaction.sql("DELETE FROM Sailor; SELEC 1").runScript()
      }
    }
    #expect(try fleet.names.count == 4)
  }

  @Test func aStatementAloneIsStillOne() throws {
    try fleet.expect(.invalidQuery, of: "DELETE FROM Sailor; DELETE FROM Sailor")
  }
}

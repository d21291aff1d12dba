import EngineConformance
import Foundation
import MagicQuery
import MagicSQLite
import MagicStatements
import MagicTestSupport
import SQLiteStore
import Testing

/// SQL that is refused: with a typed error, nothing stored, and the next call works.
@Suite struct SQLRefusalTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet.manned() }

  @Test func twoStatementsAreRefused() throws {
    try fleet.expect(
      .invalidQuery, "Invalid SQL: the SQL contains more than one statement.",
      of: "DELETE FROM Sailor; DELETE FROM Sailor")
    try fleet.expect(.invalidQuery, of: "SELECT 1; DROP TABLE Sailor")
    try fleet.expect(.invalidQuery, of: "SELECT 1; COMMIT")
    try fleet.expect(.invalidQuery, of: "SELECT 1; nonsense")
    #expect(try fleet.store.sql("SELECT 1; -- done").rows(Int.self) == [1])
  }

  @Test func aNULCharacterIsRefused() throws {
    try fleet.expect(
      .invalidQuery, "Invalid SQL: the SQL contains a NUL character.",
      of: "SELECT 1\0; DROP TABLE Sailor")
    try fleet.expect(.invalidQuery, of: "\(raw: "DELETE FROM Sailor\0")")
  }

  @Test func noStatementIsRefused() throws {
    try fleet.expect(.invalidQuery, "Invalid SQL: the SQL contains no statement.", of: "")
    try fleet.expect(.invalidQuery, of: " ; -- nothing")
    try fleet.expect(.invalidQuery, of: "/* nothing")
  }

  @Test(arguments: [
    "BEGIN", "begin immediate", "COMMIT", "END", "ROLLBACK", "SAVEPOINT a", "RELEASE a",
    "ROLLBACK TO a", "ATTACH ':memory:' AS other", "DETACH main", "VACUUM", "PRAGMA user_version",
    "PRAGMA foreign_keys = OFF", "-- a\n  BEGIN", "/* b */ \t COMMIT", ";;ROLLBACK",
    "/**/--\n/*;*/END",
    "\u{FEFF}BEGIN", "vacuum into '/tmp/x'",
  ]) func statementsOnTheLibrarysTablesAreRefused(sql: String) throws {
    try fleet.expect(.invalidQuery, of: "\(raw: sql)")
  }

  @Test func functionsThatShowSettingsAreAllowed() throws {
    #expect(
      try fleet.store.sql("SELECT name FROM pragma_table_info(\("Sailor")) ORDER BY cid").rows(
        String.self) == ["z_index", "id", "name", "age", "rank", "pay"])
    #expect(
      try fleet.store.sql("SELECT foreign_keys FROM pragma_foreign_keys").value(Int.self) == 1)
  }

  @Test func anErrorOfSQLiteHasItsText() throws {
    try fleet.expect(
      .invalidQuery, "Invalid SQL: near \"SELEC\": syntax error.", of: "SELEC 1")
    try fleet.expect(
      .invalidQuery, "Invalid SQL: no such table: Nobody.",
      of: "SELECT \("s3cret") FROM Nobody")
    try fleet.expect(
      .invalidQuery, "Invalid SQL: no such column: nobody.",
      of: "SELECT nobody FROM Sailor")
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT \("s3cret") FROM Nobody").rows()
    }
    let cause = try #require(error?.cause as? SQLiteError)
    #expect(cause.sql == "SELECT ? FROM Nobody")
    #expect(!"\(error as Any)".contains("s3cret"))
  }

  @Test func anErrorAtRunTimeIsReportedToo() throws {
    try fleet.expect(
      .invalidQuery, "Invalid SQL: integer overflow.",
      of: "SELECT abs(\(Int64.min)) FROM Sailor")
    try fleet.expect(.invalidQuery, of: "SELECT json(\("{"))")
  }

  @Test func constraintsOfTheTableAreEnforced() throws {
    func expect(_ code: MagicError.Code, _ sql: MagicSQL) throws {
      let error = #expect(throws: MagicError.self) { try fleet.store.sql(sql).run() }
      #expect(error?.code == code, "\(error as Any)")
      try fleet.store.transaction { transaction in
        let error = #expect(throws: MagicError.self) { try transaction.sql(sql).run() }
        #expect(error?.code == code)
        try transaction.update(Sailor("Zoe"))
      }
      try fleet.store.remove(fleet.store.object(of: Sailor.self, primary: "zoe"))
      #expect(try fleet.names == ["Ada", "Bob", "Cy"])
    }
    try expect(.notUnique, "UPDATE Sailor SET id = 'same'")
    try expect(.constraint, "UPDATE Sailor SET name = NULL WHERE name = 'Cy'")
    try expect(.constraint, "UPDATE Sailor SET z_index = 'text'")
  }

  @Test func tooManyValuesAreRefused() throws {
    try fleet.expect(.invalidQuery, of: "SELECT 1 IN \(values: 0..<300_000)")
  }

  @Test func statementsAfterTheirTransactionAreRefused() throws {
    var kept: MagicStatement<_MagicTransactionContext>?
    try fleet.store.transaction { kept = $0.sql("DELETE FROM Sailor") }
    let error = #expect(throws: MagicError.self) { try kept?.run() }
    #expect(error?.code == .transactionOver)
    var read: MagicStatement<_MagicSnapshotContext>?
    try fleet.store.read { read = $0.sql("SELECT 1") }
    #expect(throws: MagicError.self) { try read?.rows() }
    fleet.store.close()
    let closed = #expect(throws: MagicError.self) { try fleet.store.sql("SELECT 1").rows() }
    #expect(closed?.code == .closed)
  }

  @Test func aReadOnlyDatabaseIsNotWritten() throws {
    let scratch = Scratch()
    let writer = try MagicObjectStore.open(.file(scratch.file()))
    try writer.update(Sailor("Ada"))
    writer.close()
    let reader = try MagicObjectStore.open(
      .file(scratch.file()), options: MagicOptions(readOnly: true))
    defer { reader.close() }
    let error = #expect(throws: MagicError.self) { try reader.sql("DELETE FROM Sailor").run() }
    #expect(error?.code == .readOnly)
    let missing = #expect(throws: MagicError.self) { try reader.sql("SELECT * FROM Vessel").rows() }
    #expect(missing?.code == .invalidQuery)
    #expect(try reader.sql("SELECT * FROM \(table: Vessel.self)").rows().isEmpty)
    #expect(try reader.sql("SELECT name FROM \(table: Sailor.self)").rows(String.self) == ["Ada"])
  }
}

import EngineConformance
import Foundation
import MagicQuery
import MagicStatements
import MagicTestSupport
import SQLiteStore
import Testing

/// Raw SQL on a file that lacks the tables of the types it names.
@Suite struct MissingTableTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet() }

  private var store: MagicObjectStore { fleet.store }

  /// The contents of the file.
  private var tables: [String] {
    get throws {
      try store.sql("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").rows(
        String.self)
    }
  }

  private func expectNoRows(_ sql: MagicSQL, at location: SourceLocation = #_sourceLocation) throws
  {
    #expect(try store.sql(sql).rows().isEmpty, sourceLocation: location)
    #expect(try store.read { try $0.sql(sql).rows() }.isEmpty, sourceLocation: location)
    let rows = try store.transaction { try $0.sql(sql).rows() }
    #expect(rows.isEmpty, sourceLocation: location)
    #expect(try tables.isEmpty, sourceLocation: location)
  }

  @Test func aTypeThatWasNeverSavedHasNoRows() throws {
    try expectNoRows("SELECT * FROM \(table: Sailor.self)")
    #expect(try store.sql("SELECT count(*) FROM \(table: Sailor.self)").value(Int.self) == 0)
    #expect(try store.sql("SELECT sum(age) FROM \(table: Sailor.self)").value(Int.self) == nil)
    #expect(
      try store.sql("SELECT \(column: \Sailor.$name), age FROM \(table: Sailor.self)")
        .rows(String.self, Int.self).isEmpty)
    #expect(try tables.isEmpty)
  }

  @Test func itIsFoundByItsNameAndByAliases() throws {
    try expectNoRows(
      "SELECT \(table: Sailor.self).\(column: \Sailor.$name) FROM \(table: Sailor.self)")
    try expectNoRows("SELECT s.name FROM \(table: Sailor.self) s WHERE s.age > \(3)")
    try expectNoRows("SELECT s.* FROM \(table: Sailor.self) AS s ORDER BY s.z_index LIMIT \(2)")
    try expectNoRows("SELECT \(column: \Sailor.$name) FROM Sailor")
    try expectNoRows(
      "SELECT 1 FROM \(table: Sailor.self) a JOIN \(table: Sailor.self) b USING (z_index)")
  }

  @Test func itIsFoundInEveryPartOfAStatement() throws {
    try expectNoRows("SELECT 1 WHERE EXISTS (SELECT 1 FROM \(table: Sailor.self))")
    try expectNoRows("SELECT name FROM (SELECT name FROM \(table: Sailor.self))")
    try expectNoRows(
      "SELECT name FROM \(table: Sailor.self) UNION SELECT text FROM \(table: Pennant.self)")
    try expectNoRows(" /* a */ -- b\n ; SELECT name FROM \(table: Sailor.self) ;")
  }

  @Test func aStatementKeepsItsOwnClause() throws {
    try expectNoRows(
      "WITH old AS (SELECT * FROM \(table: Sailor.self) WHERE age > \(60)) SELECT name FROM old")
    try expectNoRows(
      """
      with recursive n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)
      SELECT i FROM n JOIN \(table: Sailor.self) ON age = i
      """)
    try expectNoRows(
      "WITH/**/x AS (SELECT 1), y AS (VALUES (2)) SELECT * FROM \(table: Sailor.self), x, y")
    let counted = store.sql(
      "WITH x (n) AS (VALUES (1), (2)) SELECT n + (SELECT count(*) FROM \(table: Sailor.self)) FROM x"
    )
    #expect(try counted.rows(Int.self) == [1, 2])
  }

  @Test func missingJoinTablesAreEmpty() throws {
    try expectNoRows(
      """
      SELECT v.name, l.position FROM \(table: Vessel.self) v \
      JOIN \(links: \Vessel.$crew) l ON l.owner = v.z_index \
      JOIN \(table: Sailor.self) s ON s.z_index = l.target
      """)
    try expectNoRows("SELECT owner, position, target FROM \(links: \Vessel.$crew)")
    let columns = try store.sql("SELECT * FROM \(links: \Vessel.$crew)").explain().sql
    #expect(columns.contains("\"owner\""))
  }

  @Test func aTypeWithATableIsJoinedWithOneWithoutATable() throws {
    try store.update(Pennant("x"))
    let before = try tables
    let texts = try store.sql(
      "SELECT p.text FROM \(table: Pennant.self) p LEFT JOIN \(table: Sailor.self) s ON s.name = p.text"
    ).rows(String.self)
    #expect(texts == ["x"])
    #expect(try tables == before)
  }

  @Test func aMissingTableHasNoObjects() throws {
    #expect(
      try store.sql("SELECT z_index FROM \(table: Vessel.self)").objects(of: Vessel.self).isEmpty)
    #expect(try store.sql("SELECT z_index FROM Vessel").objects(of: Vessel.self).isEmpty)
    let error = #expect(throws: MagicError.self) {
      try store.sql("SELECT 7 AS z_index").objects(of: Vessel.self)
    }
    #expect(error?.code == .notFound)
    #expect(try tables.isEmpty)
  }

  @Test func itsColumnsAreThoseOfItsType() throws {
    let statement = store.sql(
      "SELECT * FROM \(table: Sailor.self) UNION ALL SELECT 1, 2, 3, 4, 5, 6")
    let before = try statement.rows()
    try store.update(Sailor("Ada"))
    let after = try statement.rows()
    #expect(before[0].columns == after[0].columns)
    #expect(before.count == 1)
    #expect(after.count == 2)
  }

  @Test func whatIsSavedLaterIsFound() throws {
    let names = store.sql("SELECT name FROM \(table: Sailor.self)")
    #expect(try names.rows(String.self).isEmpty)
    try store.transaction { transaction in
      let names = transaction.sql("SELECT name FROM \(table: Sailor.self)")
      #expect(try names.rows(String.self).isEmpty)
      try transaction.update(Sailor("Ada"))
      #expect(try names.rows(String.self) == ["Ada"])
    }
    #expect(try names.rows(String.self) == ["Ada"])
  }

  @Test func aWriteCreatesTheTableFirst() throws {
    #expect(
      try store.sql("INSERT INTO \(table: Pennant.self) (number, text) VALUES (1, 'x')").run() == 1)
    #expect(try tables.contains("Pennant"))
    #expect(try store.object(of: Pennant.self).map(\.text) == ["x"])
  }

  @Test(.enabled(if: SQLiteFeature.returning.isThere, "RETURNING needs SQLite 3.35."))
  func inATransactionAWriteThatReturnsRowsCreatesTheTable() throws {
    try store.transaction { transaction in
      let texts = try transaction.sql(
        "INSERT INTO \(table: Pennant.self) (number, text) VALUES (1, 'x') RETURNING text"
      ).rows(String.self)
      #expect(texts == ["x"])
    }
    let ages = try store.transaction { transaction in
      try transaction.sql(
        """
        WITH new (name) AS (VALUES ('Ada'), ('Bob'))
        INSERT INTO \(table: Sailor.self) (id, name, age) SELECT name, name, 9 FROM new RETURNING age
        """
      ).rows(Int.self)
    }
    #expect(ages == [9, 9])
    #expect(try fleet.names == ["Ada", "Bob"])
  }

  @Test func aReadCannotRunAWrite() throws {
    for sql: MagicSQL in [
      "DELETE FROM \(table: Sailor.self)", "INSERT INTO \(table: Sailor.self) DEFAULT VALUES",
      "WITH x AS (SELECT 1) DELETE FROM \(table: Sailor.self) RETURNING 1",
      "SELEC \(column: \Sailor.$name)", "DELETE \(column: \Sailor.$name) \(table: Sailor.self)",
    ] {
      let error = #expect(throws: MagicError.self) { try store.sql(sql).rows() }
      #expect(error?.code == .invalidQuery)
    }
    #expect(try tables.isEmpty)
  }

  @Test func explainingDoesNotChangeTheFile() throws {
    #expect(try store.sql("SELECT * FROM \(table: Sailor.self)").explain().fullScans.isEmpty)
    let explained = try store.sql("EXPLAIN QUERY PLAN SELECT * FROM \(table: Sailor.self)").rows()
    #expect(!explained.isEmpty)
    let error = #expect(throws: MagicError.self) {
      try store.sql("DELETE FROM \(table: Sailor.self)").explain()
    }
    #expect(error?.code == .invalidQuery)
    #expect(try tables.isEmpty)
  }

  @Test func missingTablesOfAReadOnlyFileAreEmptyToo() throws {
    let scratch = Scratch()
    let writer = try MagicObjectStore.open(.file(scratch.file()))
    try writer.update(Pennant("x"))
    writer.close()
    let reader = try MagicObjectStore.open(
      .file(scratch.file()), options: MagicOptions(readOnly: true))
    defer { reader.close() }
    #expect(try reader.sql("SELECT count(*) FROM \(table: Sailor.self)").value(Int.self) == 0)
    #expect(try reader.sql("SELECT text FROM \(table: Pennant.self)").rows(String.self) == ["x"])
  }
}

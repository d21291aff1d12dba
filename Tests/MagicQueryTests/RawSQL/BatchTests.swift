import MagicQuery
import MagicStatements
import MagicTestSupport
import Testing

/// Rows are read in batches, without an effect on results.
@Suite struct BatchTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet.manned() }

  private func numbers(to last: Int, _ columns: MagicSQL) -> MagicStatement<MagicObjectStore> {
    fleet.store.sql(
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(last))
      SELECT \(sql: columns) FROM n
      """)
  }

  @Test(arguments: [1, 127, 128, 129, 255, 256, 257, 1_000])
  func rowsOfManyBatchesAreInOrder(_ count: Int) throws {
    let rows = try numbers(to: count, "i, 'text ' || i").rows(Int.self, String.self)
    #expect(rows.map { $0.0 } == Array(1...count))
    #expect(rows.map { $0.1 } == (1...count).map { "text \($0)" })
    #expect(try numbers(to: count, "i").rows().count == count)
  }

  @Test func largeValuesAreReadCompletely() throws {
    let rows = try numbers(to: 40, "i, zeroblob(i * 1000), hex(zeroblob(i * 500))")
      .rows(Int.self, [UInt8].self, String.self)
    #expect(rows.map { $0.1.count } == (1...40).map { $0 * 1_000 })
    #expect(rows.map { $0.2 } == (1...40).map { String(repeating: "0", count: $0 * 1_000) })
  }

  @Test func anErrorNamesARowAfterTheFirstBatch() throws {
    let error = #expect(throws: MagicError.self) {
      try numbers(to: 300, "1, CASE i WHEN 250 THEN 'x' ELSE i END AS n").rows(Int.self, Int.self)
    }
    #expect(error?.code == .cannotDecode)
    #expect(error.map { "\($0)".contains("Column n of row 250") } == true)
  }

  @Test func theFirstOfTwoErrorsIsThrown() throws {
    let failing: MagicSQL =
      "CASE i WHEN 3 THEN 'x' WHEN 5 THEN abs(-9223372036854775807 - 1) ELSE i END"
    #expect(code { try numbers(to: 9, failing).rows(Int.self) } == .cannotDecode)
    #expect(code { try numbers(to: 9, failing).rows(MagicSQLValue.self) } == .invalidQuery)
  }

  @Test func noRowIsReadBeyondALimit() throws {
    let endless = fleet.store.sql(
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
    #expect(try endless.value(Int.self) == 1)
    #expect(try #require(try endless.row(Int.self)) == 1)
  }

  @Test(.enabled(if: SQLiteFeature.returning.isThere, "RETURNING needs SQLite 3.35."))
  func aStatementThatWritesRunsOnce() throws {
    try fleet.store.transaction { transaction in
      try transaction.update(Pennant("first"))
      let inserted = transaction.sql(
        """
        INSERT INTO \(table: Pennant.self) (number, text)
        SELECT value + (SELECT max(number) FROM \(table: Pennant.self)), 'raw'
        FROM json_each('[1, 2, 3]') RETURNING text
        """)
      #expect(try inserted.value(String.self) == "raw")
      #expect(try transaction.query(Pennant.self).count() == 4)
      #expect(try inserted.rows(String.self).count == 3)
      #expect(try inserted.run() == 3)
      #expect(try transaction.query(Pennant.self).count() == 10)
    }
  }

  @Test func selectionsOfManyBatchesAreInOrder() throws {
    try fleet.store.update(contentsOf: (100..<400).map { Sailor("\($0)", age: $0) })
    let rows = try fleet.store.query(Sailor.self).where(\.$age >= 100).order(by: \.$age)
      .select(\.$age, \.$name).all()
    #expect(rows.map { $0.0 } == Array(100..<400))
    #expect(rows.map { $0.1 } == (100..<400).map(String.init))
  }
}

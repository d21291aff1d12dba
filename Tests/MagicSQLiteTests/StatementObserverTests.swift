import MagicSQLite
import MagicTestSupport
import Testing

@Suite struct StatementObserverTests {
  private final class Report: StatementObserver {
    var statements: [String] = []
    var rows: [[Int64]] = []

    func willRun(_ sql: String) { statements.append(sql) }

    func didStep(to row: borrowing SQLiteRow) {
      var columns: [Int64] = []
      for index in 0..<row.columnCount { columns.append(row.column(index).integer) }
      rows.append(columns)
    }
  }

  @Test func eachRunAndItsRowsAreReported() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2), (3, 4)")
    let known = try connection.cachedStatement("SELECT a, b FROM t")
    let report = Report()
    try connection.reportingStatements(to: report) {
      for _ in 0..<2 {
        while try known.step() {}
        known.reset()
      }
      _ = try connection.integer("SELECT count(*) FROM t")
    }
    while try known.step() {}
    #expect(
      report.statements == [
        "SELECT a, b FROM t", "SELECT a, b FROM t", "SELECT count(*) FROM t",
      ])
    #expect(report.rows == [[1, 2], [3, 4], [1, 2], [3, 4], [2]])
  }

  @Test func statementsWithoutRowsAreNotReported() throws {
    let connection = try memory()
    let report = Report()
    try connection.reportingStatements(to: report) {
      try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1); BEGIN; COMMIT")
    }
    #expect(report.statements == [])
    #expect(report.rows == [])
  }

  @Test func readsOfTheSchemaAreNotReported() throws {
    let scratch = Scratch()
    let writer = try scratch.connection()
    try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let connection = try scratch.connection()
    let known = try connection.cachedStatement("SELECT a FROM t")
    _ = try known.step()
    known.reset()
    try writer.execute("CREATE TABLE other (a)")
    let report = Report()
    // The statement is compiled again, for which the schema is read again.
    try connection.reportingStatements(to: report) {
      while try known.step() {}
      known.reset()
    }
    #expect(report.statements == ["SELECT a FROM t"])
    #expect(report.rows == [[1]])
  }

  /// A full-text index reads its own tables while a statement that uses it is compiled, while it is
  /// compiled again, and while it runs.
  @Test func statementsOfAModuleAreNotReported() throws {
    let log = Recorder<String>()
    let scratch = Scratch()
    let writer = try scratch.connection()
    try writer.execute("CREATE VIRTUAL TABLE f USING fts5(text); INSERT INTO f VALUES ('oak')")
    let sql = "SELECT rowid FROM f WHERE f MATCH 'oak'"
    let connection = try scratch.connection(.init(trace: { log.note($0) }))
    let report = Report()
    try connection.reportingStatements(to: report) {
      for other in ["one", "two"] {
        _ = try connection.integer(sql)
        try writer.execute("CREATE TABLE \(other) (a); INSERT INTO f VALUES ('elm')")
      }
      _ = try connection.integer(sql)
    }
    #expect(report.statements == [sql, sql, sql])
    #expect(report.rows == [[1], [1], [1]])
    let own = log.all.filter { $0.contains("f_config") || $0.contains("data_version") }
    #expect(own.count > 3, "The module does run statements.")
  }

  @Test func statementsAreLoggedMeanwhileAndAfterwards() throws {
    let log = Recorder<String>()
    let connection = try memory(.init(trace: { log.note($0) }))
    let report = Report()
    let before = log.all.count
    try connection.reportingStatements(to: report) { _ = try connection.integer("SELECT 1") }
    _ = try connection.integer("SELECT 2")
    #expect(log.all.dropFirst(before) == ["SELECT 1", "SELECT 2"])
    #expect(report.statements == ["SELECT 1"])
  }

  @Test func theReportEndsIfTheBodyThrows() throws {
    let connection = try memory()
    let report = Report()
    #expect(throws: SQLiteError.self) {
      try connection.reportingStatements(to: report) { try connection.execute("nonsense") }
    }
    _ = try connection.integer("SELECT 1")
    #expect(report.statements == [])
  }
}

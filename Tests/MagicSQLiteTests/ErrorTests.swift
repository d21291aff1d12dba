import CMagicSQLite
import MagicSQLite
import Testing

@Suite struct ErrorTests {
  @Test func anErrorHasItsCodesItsTextAndTheSQL() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE person (name TEXT UNIQUE)")
    let sql = "INSERT INTO person VALUES (?)"
    let insert = try connection.prepare(sql)
    try insert.bind("Ada", at: 1)
    try insert.run()
    let error = try #require(sqliteError { try insert.run() })
    #expect(error.code == .constraint)
    #expect(error.extendedCode == ExtendedCode.unique)
    #expect(error.message == "UNIQUE constraint failed: person.name")
    #expect(error.sql == sql)
    #expect(
      error.description == "SQLite error 2067: UNIQUE constraint failed: person.name in: \(sql)")
  }

  @Test func constraintsAreDistinguished() throws {
    let connection = try memory()
    try connection.execute(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a NOT NULL, b CHECK (b > 0)); INSERT INTO t VALUES (1, 1, 1)"
    )
    func extendedCode(_ sql: String) -> Int32? {
      sqliteError { try connection.execute(sql) }?.extendedCode
    }
    #expect(extendedCode("INSERT INTO t VALUES (1, 1, 1)") == ExtendedCode.primaryKey)
    #expect(extendedCode("INSERT INTO t VALUES (2, NULL, 1)") == ExtendedCode.notNull)
    #expect(extendedCode("INSERT INTO t VALUES (2, 1, 0)") == ExtendedCode.check)
  }

  @Test func boundValuesAreNotInErrors() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a TEXT UNIQUE, b CHECK (length(b) < 3))")
    let insert = try connection.prepare("INSERT INTO t VALUES (?, ?)")
    for (first, second) in [("s3cret", "ok"), ("s3cret", "ok"), ("other", "s3cret")] {
      try insert.bind(first, at: 1)
      try insert.bind(second, at: 2)
      if let error = sqliteError({ try insert.run() }) {
        #expect(!"\(error) \(String(reflecting: error))".contains("s3cret"))
      }
    }
  }

  @Test func invalidSQLIsAnErrorWithItsText() throws {
    let error = sqliteError { _ = try memory().prepare("SELEKT 1") }
    #expect(error?.code == .error)
    #expect(error?.sql == "SELEKT 1")
    #expect(error?.message == "near \"SELEKT\": syntax error")
  }

  @Test func anErrorOfAnEarlierCallIsNotReportedAgain() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
    #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES (1)") }
    let statement = try connection.prepare("SELECT ?")
    let error = sqliteError { try statement.bind(Int64(1), at: 2) }
    #expect(error?.code == .range)
    #expect(error?.extendedCode == SQLITE_RANGE)
    #expect(error?.message.contains("UNIQUE") == false)
  }
}

import Foundation
import MagicData
import MagicDataPostgres
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// Raw statements in the dialect of PostgreSQL.
@Suite(.requiresPostgreSQL) struct RawSQLTests {
  private let store: MagicObjectStore

  init() throws {
    store = try TestSchema().open()
    try store.update(contentsOf: [
      City("Bonn", population: 300_000), City("Köln", population: 1_000_000),
    ])
  }

  @Test func interpolatedValuesAreParameters() throws {
    let name = "Bonn'; DROP TABLE x"
    let names = try store.sql(
      """
      SELECT \(column: \City.$name) FROM \(table: City.self) \
      WHERE \(column: \City.$population) > \(500_000) AND \(column: \City.$name) <> \(name) AND \(true)
      """
    ).rows(String.self)
    #expect(names == ["Köln"])
    let casted = try store.sql("SELECT (\("12")::text || '3')::bigint").rows(Int.self)
    #expect(casted == [123])
  }

  @Test func namedParametersAreNumbered() throws {
    let found = try store.sql(
      "SELECT name FROM \"City\" WHERE population >= :least AND population <= :least * 2"
    ).bind("least", to: 200_000).rows(String.self)
    #expect(found == ["Bonn"])
    #expect(throws: MagicError.self) {
      _ = try store.sql("SELECT 1").bind("other", to: 1).rows(Int.self)
    }
  }

  @Test func anArrayMayHaveValues() throws {
    let (first, second) = (300_000, 5)
    let names = try store.sql(
      """
      SELECT \(column: \City.$name) FROM \(table: City.self) \
      WHERE \(column: \City.$population) = ANY(ARRAY[\(first), \(second)])
      """
    ).rows(String.self)
    #expect(names == ["Bonn"])
    #expect(try store.sql("SELECT (ARRAY[\(first), 5])[2]::text").rows(String.self) == ["5"])
    let bound = store.sql("SELECT (ARRAY[1, :a, 3])[2:3]::text").bind("a", to: second)
    #expect(try bound.rows(String.self) == ["{5,3}"])
    let large = store.query(City.self).where(
      .sql("(ARRAY[\(first), population])[2:2] = ARRAY[\(first)::bigint] AND name::name <> ''"))
    #expect(try large.select(\.$name).all() == ["Bonn"])
  }

  @Test(arguments: [
    ("SELECT $$? :a '$$", "? :a '"), ("SELECT $q1$ $$ ? $q1$", " $$ ? "),
    ("SELECT E'\\' ? :a'", "' ? :a"), ("/* /* */ ? :a */ SELECT 'b'", "b"),
    ("SELECT v[i:j]::text FROM (VALUES ('{1,2,3}'::int[], 2, 3)) AS x (v, i, j)", "{2,3}"),
    ("SELECT ('{1,2}'::int[] @> '{1}' AND '{1}' <@ '{1}'::int[])::text", "true"),
  ])
  func theseTextsHaveNoParameters(_ text: String, _ value: String) throws {
    #expect(try store.sql(MagicSQL(stringLiteral: text)).rows(String.self) == [value])
  }

  @Test func aStatementOfAScriptMayHaveSemicolons() throws {
    let population = 7
    let changed = try store.sql(
      """
      DO $$ BEGIN DELETE FROM "City" WHERE name = 'Köln'; UPDATE "City" SET code = 'a?'; END $$;
      UPDATE \(table: City.self) SET population = \(population) WHERE code = E'a?\\';' OR code = 'a?';
      """
    ).runScript()
    #expect(changed == 1)
    let cities = try store.query(City.self).all()
    #expect(cities.map(\.population) == [population])
  }

  @Test func objectsAreReadFromASelect() throws {
    let cities = try store.sql(
      "SELECT * FROM \(table: City.self) ORDER BY \(column: \City.$population) DESC"
    ).objects(of: City.self)
    #expect(cities.map(\.name) == ["Köln", "Bonn"])
  }

  @Test func commonTypesAreDecoded() throws {
    let sum = try store.sql("SELECT sum(population) FROM \"City\"").value(Int.self)
    #expect(sum == 1_300_000)
    let numbers = try store.sql(
      "SELECT x FROM (VALUES (1.5::numeric), (-20000.25), (1e30), (0.000012), (0)) AS v (x)"
    ).rows(Double.self)
    #expect(numbers == [1.5, -20000.25, 1e30, 0.000012, 0])
    let date = try store.sql("SELECT '2001-01-01 00:00:01+00'::timestamptz").value(Date.self)
    #expect(date == Date(timeIntervalSinceReferenceDate: 1))
    let small = try store.sql("SELECT 7::smallint").value(Int.self)
    #expect(small == 7)
    let json = try store.sql("SELECT '{\"a\": 1}'::jsonb").value(String.self)
    #expect(json == "{\"a\": 1}")
    let error = #expect(throws: MagicError.self) {
      _ = try store.sql("SELECT point(1, 2)").rows(String.self)
    }
    #expect(error?.code == .cannotDecode)
    #expect(error?.message.contains("type point.") ?? false)
    let digits = try store.sql("SELECT (2::numeric ^ 100)::text").value(Decimal.self)
    #expect(digits == Decimal(string: "1267650600228229401496703205376"))
  }

  @Test func statementsThatWriteNeedATransactionOrRun() throws {
    #expect(throws: MagicError.self) {
      _ = try store.sql("DELETE FROM \"City\" RETURNING 1").rows(Int.self)
    }
    #expect(try store.query(City.self).count() == 2)
    let changed = try store.sql(
      "UPDATE \(table: City.self) SET \(column: \City.$population) = \(5) WHERE name = \("Bonn")"
    ).run()
    #expect(changed == 1)
    #expect(try store.query(City.self).where(\.$population == 5).count() == 1)
  }

  @Test(arguments: ["COMMIT", "SET search_path TO x", "COPY \"City\" TO STDOUT", "VACUUM", "SELEC"])
  func theseStatementsAreInvalid(_ text: String) throws {
    let error = #expect(throws: MagicError.self) {
      try store.transaction { transaction in
        try transaction.sql(MagicSQL(stringLiteral: text)).run()
      }
    }
    #expect(error?.code == .invalidQuery)
  }

  @Test(arguments: [
    "SET statement_timeout TO 5", "SET LOCAL statement_timeout TO 5", "RESET statement_timeout",
    "SELECT set_config('statement_timeout', '5', false)",
    "SELECT pg_catalog.SET_CONFIG ('statement_timeout', '5', true)",
    "SELECT \"set_config\"/**/('statement_timeout', '5', true) FROM \"City\"",
    "/* /* */ SELECT */ SET statement_timeout TO 5",
    "DO $a$ BEGIN PERFORM set_config('statement_timeout', '5', false); END $a$",
  ])
  func settingsOfAConnectionAreRefused(_ text: String) throws {
    let sql = MagicSQL(stringLiteral: text)
    let before = try store.sql("SHOW statement_timeout").rows(String.self)
    let errors = [
      #expect(throws: MagicError.self) { _ = try store.sql(sql).rows(String.self) },
      #expect(throws: MagicError.self) {
        try store.read { snapshot in _ = try snapshot.sql(sql).rows(String.self) }
      },
      #expect(throws: MagicError.self) { _ = try store.sql(sql).run() },
    ]
    for error in errors {
      #expect(error?.code == .invalidQuery)
      #expect(error?.message.contains("options='-c statement_timeout=5s'") == true)
    }
    #expect(try store.sql("SHOW statement_timeout").rows(String.self) == before)
  }

  @Test func aTextThatNamesAFunctionForSettingsIsNoCall() throws {
    let text = try store.sql("SELECT 'set_config(1)' || $$set_config(1)$$ AS set_config")
      .rows(String.self)
    #expect(text.count == 1)
  }

  @Test func aStatementThatFailsLeavesTheTransactionOpen() throws {
    try store.transaction { transaction in
      #expect(throws: MagicError.self) { try transaction.sql("SELECT 1 / 0").run() }
      #expect(throws: MagicError.self) {
        _ = try transaction.sql("SELECT missing FROM \"City\"").rows(Int.self)
      }
      try transaction.update(City("Ulm"))
    }
    #expect(try store.query(City.self).count() == 3)
  }

  @Test func aConcurrentBodyWhoseSQLNamesACurrentTableRunsOnce() async throws {
    let magic = try await TestSchema().openMagicData()
    try await magic.update(City("Bonn"))
    let runs = Recorder<Int>()
    try await magic.transaction { transaction in
      runs.note(1)
      _ = try transaction.sql("UPDATE \(table: City.self) SET population = 5").run()
    }
    #expect(runs.count == 1)
    #expect(try await magic.object(of: City.self, primary: "Bonn").population == 5)
    await magic.close()
  }

  @Test func aConditionInSQLIsAPartOfAQuery() throws {
    let large = store.query(City.self).where(.sql("population % \(7) = 100 OR name LIKE 'K%'"))
    #expect(try large.select(\.$name).all() == ["Köln"])
  }

  /// Statements with `?` for NULL, whose type PostgreSQL knows, does not know, or finds ambiguous.
  @Test(arguments: [
    ("SELECT ?", nil), ("SELECT (? IS NULL)::text", "true"),
    ("SELECT (?::bigint IS NULL)::text", "true"),
    ("SELECT coalesce(?, 'x')", "x"), ("SELECT coalesce(?, 5)::text", "5"),
    ("SELECT concat('a', ?)", "a"), ("SELECT jsonb_build_object('a', ?)::text", "{\"a\": null}"),
    ("SELECT 'a' FROM \"City\" WHERE population = ? OR name = ? OR name = 'Bonn'", "a"),
    ("SELECT (1 = ? OR 'a' = ? OR ? IS NULL)::text", "true"),
    ("SELECT (5 = ANY(?) IS NULL)::text", "true"),
  ])
  func aNULLParameterIsWrittenAsNULL(_ text: String, _ value: String?) throws {
    var sql: MagicSQL = ""
    let parts = text.components(separatedBy: "?").map { MagicSQL(stringLiteral: $0) }
    for (index, part) in parts.enumerated() {
      sql = index == 0 ? part : "\(sql: sql)\(Int?.none)\(sql: part)"
    }
    #expect(try store.sql(sql).rows(String?.self) == [value])
    let named = MagicSQL(stringLiteral: text.replacing("?", with: ":value"))
    let bound = store.sql(named).bind("value", to: Int?.none)
    #expect(try bound.rows(String?.self) == [value])
    try store.transaction { transaction in
      try transaction.sql(sql).run()
      try transaction.update(City("Ulm"))
    }
  }

  @Test func aStatementRunsWithNULLAndThenWithAValueOfAnyType() throws {
    func count(_ least: Int?) throws -> Int? {
      try store.sql(
        "SELECT count(*) FROM \"City\" WHERE \(least) IS NULL OR population >= \(least)"
      ).value(Int.self)
    }
    func values(_ text: String?) throws -> [String?] {
      try store.sql("SELECT \(text)").rows(String?.self)
    }
    for _ in 1...2 {
      #expect(try count(nil) == 2)
      #expect(try count(500_000) == 1)
      #expect(try values(nil) == [nil])
      #expect(try values("5") == ["5"])
      #expect(try store.sql("SELECT \(5)").value(Int.self) == 5)
    }
    try store.transaction { transaction in
      for code: String? in ["a", nil, "b", nil] {
        try transaction.sql("UPDATE \"City\" SET code = \(code) WHERE name = \("Bonn")").run()
      }
      try transaction.sql("UPDATE \"City\" SET population = \(Int?.none)::bigint WHERE false").run()
    }
    #expect(try store.query(City.self).where(\.$code == nil).count() == 2)
  }

  @Test func aConditionInSQLMayHaveNULL() throws {
    func count(_ population: Int?, _ name: String?) throws -> Int {
      try store.query(City.self).where(
        .sql(
          "(\(population) IS NULL OR population = \(population)) AND name <> coalesce(\(name), '')")
      ).count()
    }
    for _ in 1...2 {
      #expect(try count(nil, nil) == 2)
      #expect(try count(300_000, nil) == 1)
      #expect(try count(nil, "Bonn") == 1)
    }
    let explained = try store.query(City.self).where(.sql("population = \(Int?.none)")).explain()
    #expect(!explained.sql.isEmpty)
  }

  @Test func preparedStatementsAreRemovedTogether() throws {
    let messages = Recorder<String>()
    let schema = try TestSchema()
    var options = PostgresOptions(schema: schema.name, readers: 1)
    options.trace = { messages.note($0) }
    let store = try MagicObjectStore.open(postgres: schema.server.information, options: options)
    defer { store.close() }
    try store.update(City("Bonn"))
    // A connection keeps 256 statements of queries.
    for count in 1...2 * 17 * 9 {
      var query = store.query(City.self)
      for _ in 0..<count % 2 { query = query.where(\.$name > "") }
      for _ in 0..<count % 17 { query = query.where(\.$population >= 0) }
      for _ in 0..<count % 9 { query = query.where(\.$population < 9) }
      #expect(try query.count() == 1)
    }
    let removals = messages.all.filter { $0.contains("DEALLOCATE") }
    #expect(removals.count == 4)
    #expect(removals.first?.split(separator: ";").count == 64)
  }

  @Test func textWithoutAStatementLeavesTheConnection() throws {
    let process = "SELECT pg_backend_pid()"
    let before = try store.sql("\(raw: process)").value(Int.self)
    for text in ["", ";", "-- nothing"] { _ = try? store.sql("\(raw: text)").rows() }
    #expect(try store.sql("\(raw: process)").value(Int.self) == before)
  }

  @Test func statementsThatRunOnceAreNotPrepared() throws {
    func prepared() throws -> Int? {
      try store.sql("SELECT count(*) FROM pg_prepared_statements").value(Int.self)
    }
    let before = try prepared()
    for number in 0..<9 { #expect(try store.sql("SELECT \(number)").value(Int.self) == number) }
    #expect(try prepared() == before)
  }
}

import MagicPostgreSQL
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

@Suite(.requiresPostgreSQL) struct ConnectionTests {
  private func connect() throws -> PostgreSQLConnection {
    try PostgreSQLServer.shared.get().connect()
  }

  /// Returns the error of a body.
  private func error(_ body: () throws -> Void) -> PostgreSQLError? {
    do {
      try body()
      return nil
    } catch {
      return error as? PostgreSQLError
    }
  }

  @Test func valuesAreReturnedBitForBit() throws {
    let connection = try connect()
    let statement = PostgreSQLStatement(
      "SELECT $1, $2, $3, $4, $5, $6", [.bigint, .float8, .text, .bytea, .boolean, .bigint])
    let reals: [Double] = [-0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .pi]
    let texts = ["", "Zoë", "a\u{0}b\u{1}c\u{2}d\u{3}"]
    for (index, real) in reals.enumerated() {
      let fields = PostgreSQLFields()
      fields.append(integer: index == 0 ? .min : .max)
      fields.append(real: real)
      fields.append(text: texts[index % 3])
      [UInt8](0...UInt8(index)).withUnsafeBytes { fields.append(bytes: $0) }
      fields.append(boolean: index == 1)
      fields.appendNull()
      let result = try connection.run(statement, fields)
      #expect(result.integer(0, 0) == (index == 0 ? .min : .max))
      #expect(result.real(0, 1).bitPattern == real.bitPattern)
      #expect(result.text(0, 2) == texts[index % 3])
      #expect(result.value(0, 3).bytes.map(Array.init) == [UInt8](0...UInt8(index)))
      #expect(result.integer(0, 4) == (index == 1 ? 1 : 0))
      #expect(result.isNull(0, 5))
    }
  }

  @Test func aListOfIntegersIsOneParameter() throws {
    let connection = try connect()
    let statement = PostgreSQLStatement(
      "SELECT n FROM unnest($1) AS n ORDER BY n", [.bigint.array])
    for count in [0, 1, 1_000] {
      let fields = PostgreSQLFields()
      fields.append(integers: (0..<Int64(count)).reversed())
      let result = try connection.run(statement, fields)
      #expect((0..<result.count).map { result.integer($0, 0) } == Array(0..<Int64(count)))
    }
  }

  @Test func anErrorOfTheBodyCancelsACopy() throws {
    struct Stop: Error {}
    let connection = try connect()
    try connection.execute("BEGIN")
    var count = 0
    #expect(throws: Stop.self) {
      try connection.copy(
        "COPY (SELECT generate_series(1, 5000000)) TO STDOUT (FORMAT binary)", columnCount: 1
      ) { _ in
        count += 1
        throw Stop()
      }
    }
    #expect(count == 1)
    // The server has not sent all rows.
    #expect(error { try connection.execute("SELECT 1") }?.sqlState == "25P02")
    connection.rollBack()
    try connection.execute("SELECT 1")
  }

  @Test func anErrorOfTheBodyCanLeaveTheTransactionOpen() throws {
    struct Stop: Error {}
    let connection = try connect()
    try connection.execute("BEGIN")
    var count = 0
    #expect(throws: Stop.self) {
      try connection.copy(
        "COPY (SELECT generate_series(1, 10000)) TO STDOUT (FORMAT binary)", columnCount: 1,
        keepsTransaction: true
      ) { row in
        count += 1
        if row.value(0).integer == 2 { throw Stop() }
      }
    }
    #expect(count == 2)
    #expect(try connection.execute("SELECT 1").count == 1)
    connection.rollBack()
  }

  @Test func aRowWithOtherColumnsIsRefused() throws {
    let connection = try connect()
    #expect(throws: PostgreSQLError.self) {
      try connection.copy(
        "COPY (SELECT 1, 2) TO STDOUT (FORMAT binary)", columnCount: 1
      ) { _ in Issue.record("The row has two columns.") }
    }
    #expect(try connection.execute("SELECT 1").count == 1)
  }

  @Test func aStatementThatIsSentAheadIsAnsweredLater() throws {
    let connection = try connect()
    let double = PostgreSQLStatement("SELECT $1 * 2", [.bigint])
    let fields = PostgreSQLFields()
    fields.append(integer: 1)
    // A statement that is not prepared would wait for the server.
    #expect(error { try connection.sendAhead(double, fields) }?.kind == .misuse)
    try connection.run(double, fields)
    for number in 0..<10 {
      fields.removeAll()
      fields.append(integer: Int64(number))
      try connection.sendAhead(double, fields)
    }
    try connection.flushAhead()
    let results = try connection.takeResultsAhead()
    #expect(results.map { $0.integer(0, 0) } == (0..<10).map { $0 * 2 })
    // After an error of a statement, the connection can be used.
    let inverse = PostgreSQLStatement("SELECT 1 / $1", [.bigint])
    try connection.run(inverse, fields)
    for number in [1, 0, 1] {
      fields.removeAll()
      fields.append(integer: Int64(number))
      try connection.sendAhead(inverse, fields)
    }
    try connection.flushAhead()
    #expect(error { _ = try connection.takeResultsAhead() }?.sqlState == "22012")
    #expect(try connection.run(double, fields).integer(0, 0) == 2)
  }

  @Test func theSameStatementWithSeveralValuesRunsAsOne() throws {
    let sent = Recorder<String>()
    let connection = try PostgreSQLConnection(
      PostgreSQLServer.shared.get().information
    ) { sent.note($0) }
    try connection.execute("CREATE TEMP TABLE number (n bigint, name text)")
    try connection.execute(
      "INSERT INTO number SELECT n, 'number ' || n FROM generate_series(1, 9) n")
    let together = PostgreSQLStatement(
      """
      SELECT number.name, v.i FROM unnest($1) WITH ORDINALITY AS v (n, i) \
      JOIN number ON number.n = v.n ORDER BY v.i
      """, [.bigint.array])
    let single = PostgreSQLStatement(
      "SELECT name FROM number WHERE n = $1", [.bigint], together: together)
    let other = PostgreSQLStatement("SELECT $1 * 2", [.bigint])
    let fields = PostgreSQLFields()
    fields.append(integer: 0)
    try connection.run(single, fields)
    try connection.run(other, fields)
    // The first time, the statement for several values is not prepared.
    for numbers in [[7, 2, 20, 7], [1], [3, 9, 3, 30, 4], [1, 2]] as [[Int64]] {
      sent.clear()
      for number in numbers {
        fields.removeAll()
        fields.append(integer: number)
        try connection.sendAhead(single, fields)
        try connection.sendAhead(other, fields)
      }
      try connection.flushAhead()
      let results = try connection.takeResultsAhead()
      let found = stride(from: 0, to: results.count, by: 2).map { index in
        (0..<results[index].count).map { results[index].text($0, 0) }
      }
      #expect(found == numbers.map { $0 < 10 ? ["number \($0)"] : [] })
      #expect(
        stride(from: 1, to: results.count, by: 2).map { results[$0].integer(0, 0) }
          == numbers.map { $0 * 2 })
    }
    #expect(sent.all.filter { $0 == together.sql }.count == 1)
    #expect(!sent.all.contains(single.sql))
  }

  @Test func aCopyCanEndWhileItsRowsAreInserted() throws {
    let connection = try connect()
    try connection.execute("CREATE TEMP TABLE number (n bigint UNIQUE); BEGIN")
    let copy = "SAVEPOINT s; COPY number FROM STDIN (FORMAT binary); RELEASE s"
    let fields = PostgreSQLFields()
    func start(_ numbers: Range<Int64>) throws {
      var rest = numbers
      try connection.copy(copy, in: fields, deferredIn: "s") { fields in
        guard let number = rest.popFirst() else { return false }
        fields.beginCopyRow(1)
        fields.append(integer: number)
        return true
      }
    }
    try start(0..<10_000)
    let count = PostgreSQLStatement("SELECT count(*) FROM number")
    #expect(try connection.run(count).integer(0, 0) == 10_000)
    #expect(connection.takeDeferredError() == nil)
    // After a conflict, the transaction continues without the rows.
    try start(5_000..<20_000)
    #expect(try connection.run(count).integer(0, 0) == 10_000)
    #expect(connection.takeDeferredError()?.sqlState == "23505")
    #expect(connection.takeDeferredError() == nil)
    try start(10_000..<20_000)
    try start(20_000..<30_000)
    try connection.commit()
    #expect(try connection.run(count).integer(0, 0) == 30_000)
    try connection.execute("BEGIN")
    try start(30_000..<40_000)
    connection.rollBack()
    try connection.execute("BEGIN")
    try start(0..<10_000)
    connection.rollBack()
    #expect(connection.takeDeferredError() == nil)
    #expect(try connection.run(count).integer(0, 0) == 30_000)
    // A commit without the rows is refused.
    try connection.execute("BEGIN")
    try start(0..<10_000)
    #expect(error { try connection.commit() }?.sqlState == "23505")
    connection.rollBack()
    try connection.execute("BEGIN")
    try start(40_000..<50_000)
    try connect().execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = '\(copy)'")
    #expect(error { _ = try connection.run(count) }?.kind == .connectionLost)
    #expect(connection.isLost && connection.takeDeferredError() == nil)
  }

  @Test(
    arguments: [
      ("Key (owner)=(5) is not present in table \"Person\".", "magic_key_ab12", 5),
      ("Schlüssel (z_index)=(-7) wird noch verwendet.", "person_owner_fkey", -7),
      ("Key (account)=(4711) is not present in table \"account\".", "account_fkey", nil),
      ("Key (a, b)=(1, 2) is not present.", "magic_key_ab12", nil),
      ("Key (owner)=(x) is not present.", "magic_key_ab12", nil), ("", "magic_key_ab12", nil),
    ] as [(String, String, Int64?)])
  func theRowOfABrokenReferenceIsReadFromTheDetail(
    _ detail: String, _ constraint: String, _ row: Int64?
  ) {
    #expect(PostgreSQLError.row(inDetail: detail, constraint: constraint) == row)
  }

  @Test func callsThatWaitAreRefusedOnRequest() throws {
    let connection = try connect()
    connection.mustNotWait = true
    #expect(error { try connection.execute("SELECT 1") }?.kind == .misuse)
    #expect(error { try connection.run(PostgreSQLStatement("SELECT 1")) }?.kind == .misuse)
    #expect(throws: PostgreSQLError.self) {
      try connection.copy("COPY (SELECT 1) TO STDOUT (FORMAT binary)", columnCount: 1) { _ in }
    }
    connection.mustNotWait = false
    #expect(try connection.execute("SELECT 1").count == 1)
  }

  @Test func anErrorHasItsStateAndNoValues() throws {
    let connection = try connect()
    try connection.execute("CREATE TEMP TABLE city (name text CONSTRAINT one_name UNIQUE)")
    let insert = PostgreSQLStatement("INSERT INTO city VALUES ($1)", [.text])
    let fields = PostgreSQLFields()
    fields.append(text: "Secret")
    try connection.run(insert, fields)
    let unique = error { try connection.run(insert, fields) }
    #expect(unique?.sqlState == "23505")
    #expect(unique?.table == "city")
    #expect(unique?.constraint == "one_name")
    let invalid = error { try connection.execute("SELECT 'Secret'::integer") }
    #expect(invalid?.sqlState == "22P02")
    #expect(invalid?.message == "a text or bytes are not a value of the type")
    let division = error { try connection.execute("SELECT 1 / 0") }
    #expect(division?.message == "division by zero")
    #expect(unique?.message.contains("Secret") == false)
    #expect(try connection.execute("SELECT 1").count == 1)
  }

  @Test func aPipelineStopsAtTheFirstError() throws {
    let connection = try connect()
    try connection.execute("CREATE TEMP TABLE number (n bigint UNIQUE)")
    let insert = PostgreSQLStatement("INSERT INTO number VALUES ($1)", [.bigint])
    func insertAll(_ numbers: [Int64]) throws -> [PostgreSQLResult] {
      try connection.pipelining([insert]) { send in
        for number in numbers {
          let fields = PostgreSQLFields()
          fields.append(integer: number)
          try send(insert, fields)
        }
      }
    }
    #expect(try insertAll([1, 2, 3]).map(\.affectedCount) == [1, 1, 1])
    #expect(try insertAll([]).isEmpty)
    try connection.execute("BEGIN")
    let failure = error { _ = try insertAll([4, 5, 2, 6]) }
    #expect(failure?.sqlState == "23505")
    #expect(failure?.position == 2)
    #expect(connection.transactionState == .failed)
    connection.rollBack()
    #expect(try connection.execute("SELECT * FROM number").count == 3)
    // An error of the body is thrown when the connection can be used again.
    #expect(throws: CancellationError.self) {
      _ = try connection.pipelining([insert]) { send in
        let fields = PostgreSQLFields()
        fields.append(integer: 7)
        try send(insert, fields)
        throw CancellationError()
      }
    }
    #expect(connection.transactionState == .none)
  }

  @Test func rowsAreCopiedInAndOut() throws {
    let connection = try connect()
    try connection.execute("CREATE TEMP TABLE pair (n bigint, t text COLLATE \"C\")")
    let rows = PostgreSQLFields()
    rows.appendCopyHeader()
    for number in 0..<10_000 {
      rows.beginCopyRow(2)
      rows.append(integer: Int64(number))
      if number % 2 == 0 { rows.append(text: "row \(number)") } else { rows.appendNull() }
    }
    rows.appendCopyTrailer()
    let copied = try connection.copy("COPY pair FROM STDIN (FORMAT binary)", in: rows)
    #expect(copied == 10_000)
    var read = 0
    let out = "COPY (SELECT * FROM pair ORDER BY n) TO STDOUT (FORMAT binary)"
    try connection.copy(out, columnCount: 2) { row in
      #expect(row.value(0).integer == Int64(read))
      #expect(row.value(1).isNull == (read % 2 == 1))
      #expect(row.value(1).text == (read % 2 == 0 ? "row \(read)" : ""))
      read += 1
    }
    #expect(read == 10_000)
    try connection.copy(
      "COPY (SELECT * FROM pair WHERE n < 0) TO STDOUT (FORMAT binary)", columnCount: 2
    ) {
      _ in Issue.record("There is no such row.")
    }
    #expect(throws: CancellationError.self) {
      try connection.copy(out, columnCount: 2) { _ in throw CancellationError() }
    }
    #expect(try connection.execute("SELECT 1").count == 1)
    // Rows that break a constraint are refused together.
    try connection.execute("CREATE UNIQUE INDEX ON pair (n)")
    let again = error { try connection.copy("COPY pair FROM STDIN (FORMAT binary)", in: rows) }
    #expect(again?.sqlState == "23505")
    #expect(try connection.execute("SELECT * FROM pair").count == 10_000)
  }

  @Test func aFailedTransactionIsNotCommitted() throws {
    let connection = try connect()
    try connection.execute("BEGIN")
    #expect(connection.transactionState == .open)
    #expect(error { try connection.execute("SELECT 1/0") }?.sqlState == "22012")
    #expect(connection.transactionState == .failed)
    #expect(error { try connection.commit() }?.sqlState == "25P02")
    connection.rollBack()
    #expect(connection.transactionState == .none)
  }

  @Test func aLostConnectionIsReported() throws {
    let (connection, other) = (try connect(), try connect())
    let process = try connection.execute("SELECT pg_backend_pid()").text(0, 0)
    try connection.execute("BEGIN")
    try other.execute("SELECT pg_terminate_backend(\(process), 5000)")
    #expect(error { try connection.execute("SELECT 1") }?.kind == .connectionLost)
    #expect(connection.isLost)
    #expect(connection.transactionState == .lost)
    connection.rollBack()
    #expect(error { try connection.execute("SELECT 1") } != nil)
  }

  @Test func aConnectionLostDuringTheCommitIsUncertain() throws {
    let (connection, other) = (try connect(), try connect())
    let process = try connection.execute("SELECT pg_backend_pid()").text(0, 0)
    try connection.execute("BEGIN")
    try other.execute("SELECT pg_terminate_backend(\(process), 5000)")
    #expect(error { try connection.commit() }?.kind == .uncertain)
  }

  @Test func anUnknownServerCannotBeReached() {
    let failure = error { _ = try PostgreSQLConnection("host=/nonexistent dbname=x") }
    #expect(failure?.kind == .cannotConnect)
    #expect(error { _ = try PostgreSQLConnection("no such option") }?.kind == .cannotConnect)
    #expect(error { _ = try PostgreSQLConnection("a\u{0}b") }?.kind == .cannotConnect)
  }

  @Test func aClosedConnectionRefusesCalls() throws {
    let connection = try connect()
    connection.close()
    connection.close()
    #expect(error { try connection.execute("SELECT 1") }?.kind == .misuse)
  }

  @Test func removingStatementsReportsTheErrorOfADeferredStatement() throws {
    let connection = try connect()
    defer { connection.close() }
    let removed = PostgreSQLStatement("SELECT 1")
    try connection.run(removed)
    try connection.runLater(PostgreSQLStatement("SELECT 2"), PostgreSQLFields()) { _ in false }
    #expect(error { _ = try connection.deallocate([removed]) }?.kind == .unexpected)
    #expect(try connection.deallocate([removed]))
    let names = try connection.execute("SELECT FROM pg_prepared_statements")
    #expect(names.count == 1)
  }

  @Test func statementsAreRemovedWithOneMessage() throws {
    let messages = Recorder<String>()
    let connection = try PostgreSQLServer.shared.get().connect { messages.note($0) }
    defer { connection.close() }
    let removed = (0..<64).map { PostgreSQLStatement("SELECT \($0)") }
    for statement in removed { try connection.run(statement) }
    let kept = PostgreSQLStatement("SELECT 64")
    try connection.run(kept)
    messages.clear()
    #expect(try connection.deallocate(removed + [PostgreSQLStatement("SELECT 65")]))
    #expect(try connection.deallocate(removed))
    #expect(messages.all.count == 1)
    let names = try connection.execute("SELECT FROM pg_prepared_statements")
    #expect(names.count == 1)
    for statement in removed.prefix(2) + [kept] { try connection.run(statement) }
  }

  @Test func statementsAfterAFailedRemovalAreRemoved() throws {
    let connection = try connect()
    defer { connection.close() }
    let statements = (0..<3).map { PostgreSQLStatement("SELECT \($0)") }
    for statement in statements { try connection.run(statement) }
    let first = try connection.execute(
      "SELECT name FROM pg_prepared_statements ORDER BY prepare_time LIMIT 1")
    try connection.execute("DEALLOCATE \(first.text(0, 0))")
    #expect(try connection.deallocate(statements))
    #expect(try connection.execute("SELECT FROM pg_prepared_statements").count == 0)
  }

  @Test func aFailedRemovalOfStatementsIsIgnoredOutsideATransaction() throws {
    let connection = try connect()
    defer { connection.close() }
    let statements = (0..<3).map { PostgreSQLStatement("SELECT \($0)") }
    for statement in statements { try connection.run(statement) }
    try connection.execute("DEALLOCATE ALL")
    #expect(try connection.deallocate(Array(statements.prefix(2))))
    #expect(try connection.run(statements[0]).count == 1)
    try connection.execute("BEGIN")
    #expect(error { _ = try connection.deallocate([statements[2]]) }?.sqlState == "26000")
    #expect(try !connection.deallocate([statements[0]]))
    connection.rollBack()
    #expect(try connection.deallocate([statements[0]]))
  }
}

import MagicPostgreSQL
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
      try connection.copy("COPY (SELECT generate_series(1, 5000000)) TO STDOUT (FORMAT binary)") {
        _ in
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
    #expect(invalid?.message == "A value is not valid.")
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
    var chunks = 0
    try connection.copy("COPY pair TO STDOUT (FORMAT binary)") { _ in chunks += 1 }
    #expect(chunks >= 10_000)
    #expect(throws: CancellationError.self) {
      try connection.copy("COPY pair TO STDOUT (FORMAT binary)") { _ in throw CancellationError() }
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
}

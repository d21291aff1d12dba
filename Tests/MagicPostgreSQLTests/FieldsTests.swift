import MagicPostgreSQL
import PostgreSQLTestSupport
import Testing

/// The limit of values, and values that were not completed.
@Suite(.requiresPostgreSQL) struct FieldsTests {
  private let connection: PostgreSQLConnection
  private let one = PostgreSQLStatement("SELECT $1", [.bytea])

  init() throws { connection = try PostgreSQLServer.shared.get().connect() }

  private func state(
    _ statement: PostgreSQLStatement, _ append: (PostgreSQLFields) -> Void
  ) -> String? {
    let fields = PostgreSQLFields(limit: 64)
    append(fields)
    do {
      _ = try connection.run(statement, fields)
      return nil
    } catch {
      return error.sqlState
    }
  }

  private func append(_ count: Int, to fields: PostgreSQLFields) {
    [UInt8](repeating: 7, count: count).withUnsafeBytes { fields.append(bytes: $0) }
  }

  @Test func aValueThatIsTooLargeIsNotSent() throws {
    #expect(state(one) { append(59, to: $0) } == nil)
    #expect(state(one) { append(64, to: $0) } == "54000")
    let text = PostgreSQLStatement("SELECT $1", [.text])
    // The stored form of U+0000 has three bytes.
    #expect(state(text) { $0.append(text: String(repeating: "\u{0}", count: 22)) } == "54000")
    let list = PostgreSQLStatement("SELECT $1", [.bigint.array])
    #expect(state(list) { $0.append(integers: [1, 2]) } == nil)
    #expect(state(list) { $0.append(integers: [1, 2, 3, 4]) } == "54000")
    let two = PostgreSQLStatement("SELECT $1, $2", [.bytea, .bytea])
    #expect(state(two) { for _ in 0..<2 { append(40, to: $0) } } == "54000")
  }

  @Test func rowsWithAValueThatIsTooLargeAreNotCopied() throws {
    try connection.execute("CREATE TEMP TABLE item (b bytea)")
    let rows = PostgreSQLFields(limit: 64)
    rows.appendCopyHeader()
    for count in [40, 64] {
      rows.beginCopyRow(1)
      append(count, to: rows)
    }
    rows.appendCopyTrailer()
    #expect(throws: PostgreSQLError.self) {
      try connection.copy("COPY item FROM STDIN (FORMAT binary)", in: rows)
    }
    #expect(try connection.execute("SELECT * FROM item").count == 0)
  }

  @Test func removedValuesLeaveNothingOpen() throws {
    let fields = PostgreSQLFields(limit: 64)
    append(100, to: fields)
    fields.beginArray(of: .bigint, count: 3)
    fields.removeAll()
    append(3, to: fields)
    #expect(fields.count == 1)
    #expect(try connection.run(one, fields).value(0, 0).bytes.map(Array.init) == [7, 7, 7])
  }
}

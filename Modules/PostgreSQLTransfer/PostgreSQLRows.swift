import DatabaseTransfer
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Reads and writes the rows of a database of PostgreSQL.
struct PostgreSQLRows {
  let connection: PostgreSQLConnection

  static func table(of rows: TransferredRows) -> String {
    switch rows.content {
    case .objects: rows.table.name.quoted
    case .members(let collection): collection.joinTable.quoted
    }
  }

  static func columns(of rows: TransferredRows) -> String {
    rows.names.map(\.quoted).joined(separator: ", ")
  }

  func count(_ rows: TransferredRows) throws -> Int {
    try translatingErrors {
      Int(try connection.execute("SELECT count(*) FROM \(Self.table(of: rows))").text(0, 0))
        ?? 0
    }
  }

  func forEach(_ rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void) throws {
    let kinds = rows.kinds
    let sql = "COPY \(Self.table(of: rows)) (\(Self.columns(of: rows))) TO STDOUT (FORMAT binary)"
    try translatingErrors {
      try connection.copy(sql, columnCount: kinds.count) { row in
        var values: [TransferredValue] = []
        values.reserveCapacity(kinds.count)
        for (column, kind) in kinds.enumerated() {
          guard let value = Self.value(row.value(column), kind) else { throw Self.malformed(rows) }
          values.append(value)
        }
        try body(values)
      }
    }
  }

  private static func malformed(_ rows: TransferredRows) -> MagicError {
    MagicError(
      .cannotDecode, "The server has sent a row that does not have the columns of the table.",
      type: rows.description)
  }

  /// Returns a value; nil if it is not of the kind.
  private static func value(
    _ field: PostgreSQLValue, _ kind: TransferredKind
  ) -> TransferredValue? {
    guard let bytes = field.bytes else { return .null }
    switch kind {
    case .integer: return bytes.count == 8 ? .integer(field.integer) : nil
    case .boolean: return bytes.count == 1 ? .boolean(field.integer != 0) : nil
    case .real: return bytes.count == 8 ? .real(field.real) : nil
    case .text: return .text(PostgreSQLText.unescape(bytes) ?? Array(bytes))
    case .blob: return .blob(Array(bytes))
    case .uuid: return bytes.count == 16 ? .uuid(Array(bytes)) : nil
    }
  }

  /// Appends a value to the row of a COPY.
  static func append(_ value: TransferredValue, to fields: PostgreSQLFields) {
    switch value {
    case .null: fields.appendNull()
    case .integer(let integer): fields.append(integer: integer)
    case .boolean(let boolean): fields.append(boolean: boolean)
    case .real(let real): fields.append(real: real)
    case .text(let bytes): bytes.withUnsafeBytes { fields.append(text: $0) }
    case .blob(let bytes), .uuid(let bytes): bytes.withUnsafeBytes { fields.append(bytes: $0) }
    }
  }
}

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
    var isFirst = true
    let sql = "COPY \(Self.table(of: rows)) (\(Self.columns(of: rows))) TO STDOUT (FORMAT binary)"
    try translatingErrors {
      try connection.copy(sql) { bytes in
        var reader = CopyReader(bytes)
        if isFirst { reader.skipHeader() }
        isFirst = false
        guard let count = reader.fieldCount() else { return }
        guard count == kinds.count else { throw Self.malformed(rows) }
        var values: [TransferredValue] = []
        values.reserveCapacity(count)
        for kind in kinds {
          guard let field = reader.field(), let value = Self.value(field, kind) else {
            throw Self.malformed(rows)
          }
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

/// Reads the messages of a binary COPY.
private struct CopyReader {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  /// Skips the signature, the flags and the extension.
  mutating func skipHeader() {
    let signature = 11
    guard rest.count >= signature + 8 else { return }
    skip(signature + 4)
    if let length = integer(Int32.self) { skip(Int(length)) }
  }

  /// Returns the number of fields; nil at the end.
  mutating func fieldCount() -> Int? {
    guard let count = integer(Int16.self), count >= 0 else { return nil }
    return Int(count)
  }

  /// Returns the next field; nil if the message is too short.
  mutating func field() -> PostgreSQLValue? {
    guard let length = integer(Int32.self) else { return nil }
    guard length >= 0 else { return PostgreSQLValue(bytes: nil) }
    guard rest.count >= Int(length) else { return nil }
    defer { skip(Int(length)) }
    return PostgreSQLValue(bytes: UnsafeRawBufferPointer(rebasing: rest[..<Int(length)]))
  }

  private mutating func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type
  ) -> Integer? {
    let size = Integer.bitWidth / 8
    guard rest.count >= size else { return nil }
    defer { skip(size) }
    return Integer(bigEndian: rest.loadUnaligned(as: Integer.self))
  }

  private mutating func skip(_ count: Int) {
    rest = UnsafeRawBufferPointer(rebasing: rest[min(max(count, 0), rest.count)...])
  }
}

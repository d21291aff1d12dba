import MagicSQLite
import MagicSchema
import Magical
import SQLiteTables

/// Reads rows of a SQLite database.
struct SQLiteRows {
  let connection: SQLiteConnection

  /// The columns and the table of rows, for SELECT.
  static func select(_ rows: TransferredRows, _ columns: String) -> String {
    "SELECT \(columns) FROM \(table(of: rows))"
  }

  private static func table(of rows: TransferredRows) -> String {
    switch rows.content {
    case .objects: return rows.table.name.quoted
    case .members(let collection):
      guard let owned = owned(collection, of: rows.table) else {
        return collection.joinTable.quoted
      }
      return "(\(owned.select))"
    }
  }

  /// The columns of an owned list; nil for a collection with a join table.
  static func owned(
    _ collection: TransferredCollection, of table: TransferredTable
  ) -> OwnedColumns? {
    guard collection.isOwned else { return nil }
    return OwnedColumns(
      owner: table.name, property: collection.property, members: collection.target,
      rule: collection.rule)
  }

  func count(_ rows: TransferredRows) throws -> Int {
    try translatingErrors { Int(try connection.integer(Self.select(rows, "count(*)")) ?? 0) }
  }

  func forEach(_ rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void) throws {
    let columns = rows.names.map(\.quoted).joined(separator: ", ")
    let statement = try translatingErrors {
      try connection.prepare(Self.select(rows, columns))
    }
    let kinds = rows.kinds
    while try translatingErrors({ try statement.step() }) {
      var values: [TransferredValue] = []
      values.reserveCapacity(kinds.count)
      for (index, kind) in kinds.enumerated() {
        guard let value = Self.value(statement.column(index), kind) else {
          throw rows.error(
            index, "it is not of the type of its column. `magic verify` lists such values",
            values.first)
        }
        values.append(value)
      }
      try body(values)
    }
  }

  /// Returns a value; nil if it is not of the kind.
  private static func value(_ column: SQLiteColumn, _ kind: TransferredKind) -> TransferredValue? {
    switch (column.type, kind) {
    case (.null, _): return .null
    case (.integer, .integer): return .integer(column.integer)
    case (.integer, .boolean):
      return (0...1).contains(column.integer) ? .boolean(column.integer == 1) : nil
    case (.real, .real): return .real(column.real)
    case (.text, .text): return .text(Array(column.textBytes))
    case (.text, .uuid):
      return TransferredValue(uuidText: column.textBytes)
    case (.blob, .blob): return .blob(Array(column.blobBytes))
    default: return nil
    }
  }

  /// Sets a parameter.
  static func bind(
    _ value: TransferredValue, to statement: SQLiteStatement, at index: Int
  ) throws(SQLiteError) {
    switch value {
    case .null: try statement.bindNull(at: index)
    case .integer(let integer): try statement.bind(integer, at: index)
    case .boolean(let boolean): try statement.bind(Int64(boolean ? 1 : 0), at: index)
    case .real(let real): try statement.bind(real as Double, at: index)
    case .text(let bytes):
      try statement.check(bytes.withUnsafeBytes { statement.bind(textBytes: $0, at: index) })
    case .blob(let bytes):
      try statement.check(bytes.withUnsafeBytes { statement.bind(blobBytes: $0, at: index) })
    case .uuid(let bytes):
      let text = TransferredValue.uuidText(bytes)
      try statement.check(text.withUnsafeBytes { statement.bind(textBytes: $0, at: index) })
    }
  }
}

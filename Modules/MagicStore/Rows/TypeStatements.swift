import MagicSchema
import MagicSQLite

/// The statements of one type on one connection, each compiled when it is first needed and found
/// by position, never by its SQL.
final class TypeStatements {
  let schema: ObjectSchema
  private let connection: SQLiteConnection
  private let table: String
  /// What is selected for each column: its name, or its default where the file has no such column.
  private let expressions: [String]
  private var prepared = [SQLiteStatement?](repeating: nil, count: Kind.allCases.count)
  private var updates: [ColumnSet: SQLiteStatement] = [:]

  private enum Kind: Int, CaseIterable {
    case selectAll, selectByPrimary, hasPrimary, zIndexOfPrimary
    case insert, delete, deleteAll
  }

  init(schema: ObjectSchema, connection: SQLiteConnection, expressions: [String]? = nil) {
    self.schema = schema
    self.connection = connection
    table = schema.tableName.quoted
    self.expressions = expressions ?? schema.columns.map(\.name.quoted)
  }

  /// Columns: z-index, then the type's in order. Rows in z-index order.
  var selectAll: SQLiteStatement {
    get throws(SQLiteError) { try statement(.selectAll) { "\(select) ORDER BY \"z_index\"" } }
  }

  /// Like ``selectAll`` for one primary value.
  var selectByPrimary: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectByPrimary) { "\(select) WHERE \(readPrimary) = ?" }
    }
  }

  var hasPrimary: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.hasPrimary) { "SELECT 1 FROM \(table) WHERE \(readPrimary) = ?" }
    }
  }

  var zIndexOfPrimary: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.zIndexOfPrimary) { "SELECT \"z_index\" FROM \(table) WHERE \(primary) = ?" }
    }
  }

  /// Parameters: z-index, then the type's columns in order. A taken primary inserts nothing.
  var insert: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.insert) {
        let names = schema.columns.map(\.name.quoted).joined(separator: ", ")
        let places = Array(repeating: "?", count: schema.columns.count + 1).joined(separator: ", ")
        let conflict = schema.primary == nil ? "" : " ON CONFLICT (\(primary)) DO NOTHING"
        return "INSERT INTO \(table) (\"z_index\", \(names)) VALUES (\(places))\(conflict)"
      }
    }
  }

  var delete: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.delete) { "DELETE FROM \(table) WHERE \"z_index\" = ?" }
    }
  }

  var deleteAll: SQLiteStatement {
    get throws(SQLiteError) { try statement(.deleteAll) { "DELETE FROM \(table)" } }
  }

  /// Parameters: the given columns in order, then the z-index.
  func update(_ columns: ColumnSet) throws(SQLiteError) -> SQLiteStatement {
    if let known = updates[columns] { return known }
    let assignments = columns.indices.map { "\(schema.columns[$0].name.quoted) = ?" }
    let statement = try connection.prepare(
      "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \"z_index\" = ?",
      isPersistent: true)
    // A type of many columns has more sets of them than anyone would want compiled.
    if updates.count >= 64 { updates.removeAll() }
    updates[columns] = statement
    return statement
  }

  private var select: String {
    "SELECT \"z_index\", \(expressions.joined(separator: ", ")) FROM \(table)"
  }

  /// The primary as the file has it, which may not be changed.
  private var readPrimary: String { expressions[schema.primary ?? 0] }

  private var primary: String { schema.columns[schema.primary ?? 0].name.quoted }

  @inline(__always)
  private func statement(
    _ kind: Kind, _ sql: () -> String
  ) throws(SQLiteError) -> SQLiteStatement {
    if let known = prepared[kind.rawValue] { return known }
    return try prepare(kind, sql())
  }

  private func prepare(_ kind: Kind, _ sql: String) throws(SQLiteError) -> SQLiteStatement {
    let statement = try connection.prepare(sql, isPersistent: true)
    prepared[kind.rawValue] = statement
    return statement
  }
}

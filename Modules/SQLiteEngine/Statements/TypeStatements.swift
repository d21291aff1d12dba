import MagicEngine
package import MagicSQLite
package import MagicSchema
package import SQLiteTables

/// The statements of one type on one connection, each compiled when it is first needed and found
/// by position, never by its SQL.
package final class TypeStatements {
  package let schema: ObjectSchema
  private let connection: SQLiteConnection
  let table: String
  /// What is selected for each column: its name, or its default where the file has no such column.
  let expressions: [String]
  @exclusivity(unchecked) private var prepared = [SQLiteStatement?](
    repeating: nil, count: Kind.allCases.count)
  @exclusivity(unchecked) private var updates: [ColumnSet: SQLiteStatement] = [:]
  /// The one used last: objects that are saved together often have the same changes.
  @exclusivity(unchecked) private var lastUpdate: (columns: ColumnSet, statement: SQLiteStatement)?

  /// The links of the type's collections, in their order.
  package let links: [LinkStatements]
  private var reaching: [Int: SQLiteStatement] = [:]
  private var leading: [Int: SQLiteStatement] = [:]
  @exclusivity(unchecked) private var reversing:
    [ObjectIdentifier: (select: SQLiteStatement, count: SQLiteStatement)] = [:]

  private enum Kind: Int, CaseIterable {
    case selectAll, selectByPrimary, hasPrimary, zIndexOfPrimary
    case selectOne, selectRange, selectListed, hasRow, hasRows
    case insert, updateByPrimary, delete, deleteAll
  }

  package init(
    schema: ObjectSchema, connection: SQLiteConnection, expressions: [String]? = nil,
    hasLinks: (LinkTable) throws(SQLiteError) -> Bool = { _ in true }
  ) throws(SQLiteError) {
    self.schema = schema
    self.connection = connection
    table = schema.tableName.quoted
    self.expressions = expressions ?? schema.columns.map(\.name.quoted)
    var links: [LinkStatements] = []
    for column in schema.collections {
      let table = LinkTable(owner: schema, column: column)
      links.append(LinkStatements(table, exists: try hasLinks(table), connection: connection))
    }
    self.links = links
  }

  /// Columns: z-index, then the type's in order. Rows in z-index order.
  var selectAll: SQLiteStatement {
    get throws(SQLiteError) { try statement(.selectAll) { "\(select) ORDER BY \"z_index\"" } }
  }

  /// Like ``selectAll`` for one z-index.
  var selectOne: SQLiteStatement {
    get throws(SQLiteError) { try statement(.selectOne) { "\(select) WHERE \"z_index\" = ?" } }
  }

  /// Like ``selectAll`` from one z-index to another.
  var selectRange: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectRange) {
        "\(select) WHERE \"z_index\" BETWEEN ? AND ? ORDER BY \"z_index\""
      }
    }
  }

  /// Like ``selectAll`` for the z-indexes in a JSON array.
  var selectListed: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectListed) {
        "\(select) WHERE \"z_index\" IN (SELECT value FROM json_each(?)) ORDER BY \"z_index\""
      }
    }
  }

  /// Like ``selectAll`` for the z-indexes in a JSON array and all that a to-one of the type to
  /// itself refers to from there.
  func selectReached(along column: Int) throws(SQLiteError) -> SQLiteStatement {
    if let known = reaching[column] { return known }
    let name = expressions[column]
    // A file that has no such column leads nowhere from there.
    guard name != "NULL" else {
      let statement = try selectListed
      reaching[column] = statement
      return statement
    }
    let statement = try connection.prepare(
      """
      WITH RECURSIVE reached (z) AS (SELECT value FROM json_each(?) UNION \
      SELECT row.\(name) FROM reached CROSS JOIN \(table) AS row ON row."z_index" = reached.z \
      WHERE row.\(name) IS NOT NULL) \
      \(select) WHERE "z_index" IN (SELECT z FROM reached) ORDER BY "z_index"
      """, isPersistent: true)
    reaching[column] = statement
    return statement
  }

  /// The z-index that a to-one of the row with a z-index refers to.
  package func selectTarget(along column: Int) throws(SQLiteError) -> SQLiteStatement {
    if let known = leading[column] { return known }
    let statement = try connection.prepare(
      "SELECT \(expressions[column]) FROM \(table) WHERE \"z_index\" = ?", isPersistent: true)
    leading[column] = statement
    return statement
  }

  /// Like ``selectAll`` for the rows whose relationship refers to a row: parameters are that row's
  /// z-index, a z-index that those of the result are behind, and how many to read. An owner that
  /// leads there more than once comes as often, one behind the other.
  func selectOwners(along property: PropertySchema) throws(SQLiteError) -> SQLiteStatement {
    try reverse(property).select
  }

  /// How many rows' relationship refers to a row.
  func countOwners(along property: PropertySchema) throws(SQLiteError) -> SQLiteStatement {
    try reverse(property).count
  }

  private func reverse(
    _ property: PropertySchema
  ) throws(SQLiteError) -> (select: SQLiteStatement, count: SQLiteStatement) {
    if let known = reversing[ObjectIdentifier(property)] { return known }
    let rows: String
    let count: String
    if let index = schema.collections.firstIndex(where: { $0 === property }), !links[index].exists {
      rows = "\(select) WHERE 0 * ?1 * ?2 * ?3"
      count = "SELECT 0 * ?"
    } else if let collection = property as? CollectionColumn {
      let links = LinkTable(owner: schema, column: collection).name.quoted
      // One step of the index for each link, and no table in between, as IN would make one.
      rows =
        "SELECT \(columns(of: "row").joined(separator: ", ")) FROM \(links) AS link CROSS JOIN \(table) AS row "
        + "ON row.\"z_index\" = link.\"owner\" WHERE link.\"target\" = ?1 "
        + "AND link.\"owner\" > ?2 ORDER BY link.\"owner\" LIMIT ?3"
      count = "SELECT count(DISTINCT \"owner\") FROM \(links) WHERE \"target\" = ?"
    } else {
      let column = schema.columns.firstIndex { $0 === property }.map { expressions[$0] } ?? "NULL"
      rows =
        "\(select) WHERE \(column) = ?1 AND \"z_index\" > ?2 ORDER BY \"z_index\" LIMIT ?3"
      count = "SELECT count(*) FROM \(table) WHERE \(column) = ?"
    }
    let statements = (
      select: try connection.prepare(rows, isPersistent: true),
      count: try connection.prepare(count, isPersistent: true)
    )
    reversing[ObjectIdentifier(property)] = statements
    return statements
  }

  package var hasRow: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.hasRow) { "SELECT 1 FROM \(table) WHERE \"z_index\" = ?" }
    }
  }

  var hasRows: SQLiteStatement {
    get throws(SQLiteError) { try statement(.hasRows) { "SELECT 1 FROM \(table) LIMIT 1" } }
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
        let names = (["\"z_index\""] + schema.columns.map(\.name.quoted)).joined(separator: ", ")
        let places = Array(repeating: "?", count: schema.columns.count + 1).joined(separator: ", ")
        let conflict = schema.primary == nil ? "" : " ON CONFLICT (\(primary)) DO NOTHING"
        return "INSERT INTO \(table) (\(names)) VALUES (\(places))\(conflict)"
      }
    }
  }

  /// Parameters: the type's columns in order, of which the primary finds the row.
  var updateByPrimary: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.updateByPrimary) {
        var assignments: [String] = []
        for (column, name) in schema.columns.map(\.name.quoted).enumerated()
        where column != schema.primary {
          assignments.append("\(name) = ?\(column + 1)")
        }
        // A type with nothing but a primary has nothing to change.
        if assignments.isEmpty { assignments = ["\(primary) = ?1"] }
        return "UPDATE \(table) SET \(assignments.joined(separator: ", ")) "
          + "WHERE \(primary) = ?\((schema.primary ?? 0) + 1)"
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
    if let lastUpdate, lastUpdate.columns == columns { return lastUpdate.statement }
    let statement: SQLiteStatement
    if let known = updates[columns] {
      statement = known
    } else {
      statement = try prepareUpdate(columns)
    }
    lastUpdate = (columns, statement)
    return statement
  }

  private func prepareUpdate(_ columns: ColumnSet) throws(SQLiteError) -> SQLiteStatement {
    let assignments = columns.indices.map { "\(schema.columns[$0].name.quoted) = ?" }
    let statement = try connection.prepare(
      "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \"z_index\" = ?",
      isPersistent: true)
    // A type of many columns has more sets of them than anyone would want compiled.
    if updates.count >= 64 { updates.removeAll() }
    updates[columns] = statement
    return statement
  }

  /// What is selected of a row under another name: the z-index, then the type's columns.
  func columns(of name: String) -> [String] {
    (["\"z_index\""] + expressions).map { $0.hasPrefix("\"") ? "\(name).\($0)" : $0 }
  }

  private var select: String {
    "SELECT \((["\"z_index\""] + expressions).joined(separator: ", ")) FROM \(table)"
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

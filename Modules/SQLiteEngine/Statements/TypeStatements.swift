import MagicEngine
package import MagicSQLite
package import MagicSchema
package import SQLiteTables

/// The statements of one type on one connection. Each is compiled when it is first needed, and
/// found by its index, not by its SQL.
package final class TypeStatements {
  package let schema: ObjectSchema
  let connection: SQLiteConnection
  let table: String
  /// The selected expression of each column: its name, or its default if the file lacks the
  /// column.
  let expressions: [String]
  /// The hash of the table's name if its rows can be cached; else nil.
  let cachedTable: UInt64?
  @exclusivity(unchecked) private var prepared = [SQLiteStatement?](
    repeating: nil, count: Kind.allCases.count)
  @exclusivity(unchecked) private var updates: [ColumnSet: SQLiteStatement] = [:]
  /// The UPDATE that was used last. Objects that are saved together often have the same changed
  /// properties.
  @exclusivity(unchecked) private var lastUpdate: (columns: ColumnSet, statement: SQLiteStatement)?

  /// The statements of the type's collections, in their order.
  package let links: [LinkStatements]
  private var reachedSelects: [Int: SQLiteStatement] = [:]
  /// The inserts of members of owned lists, by the owner's column.
  var ownedInserts: [String: SQLiteStatement] = [:]
  private var rowIDsByColumns: [[Int]: SQLiteStatement] = [:]
  private var targetSelects: [Int: SQLiteStatement] = [:]
  @exclusivity(unchecked) private var ownerStatements:
    [ObjectIdentifier: (select: SQLiteStatement, count: SQLiteStatement)] = [:]

  enum Kind: Int, CaseIterable {
    case selectAll, selectByPrimary, hasPrimary, selectByKey
    case selectOne, selectRange, selectListed, hasRow
    case version
    case insert, insertWithoutIndexes, insertBatch, updateByPrimary, delete, deleteAll
  }

  package init(
    schema: ObjectSchema, connection: SQLiteConnection, expressions: [String]? = nil,
    hasLinks: (LinkTable) throws -> Bool = { _ in true }
  ) throws {
    self.schema = schema
    self.connection = connection
    table = schema.tableName.quoted
    // If there are expressions, the file lacks columns.
    cachedTable = expressions == nil ? schema.cachedTable : nil
    self.expressions = expressions ?? schema.columns.map(\.name.quoted)
    var links: [LinkStatements] = []
    for column in schema.collections {
      let table = LinkTable(owner: schema, column: column)
      links.append(
        LinkStatements(
          table, try LinkColumns(table), exists: try hasLinks(table), connection: connection))
    }
    self.links = links
  }

  /// Selects all rows in the order of their row IDs. Columns: the row ID, then the type's columns
  /// in their order.
  var selectAll: SQLiteStatement {
    get throws(SQLiteError) { try statement(.selectAll) { "\(select) ORDER BY \"z_index\"" } }
  }

  /// The same as ``selectAll`` for one row ID.
  var selectOne: SQLiteStatement {
    get throws(SQLiteError) { try statement(.selectOne) { "\(select) WHERE \"z_index\" = ?" } }
  }

  /// The same as ``selectAll`` for a range of row IDs.
  var selectRange: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectRange) {
        "\(select) WHERE \"z_index\" BETWEEN ? AND ? ORDER BY \"z_index\""
      }
    }
  }

  /// The same as ``selectAll`` for the row IDs in a JSON array.
  var selectListed: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectListed) {
        "\(select) WHERE \"z_index\" IN (SELECT value FROM json_each(?)) ORDER BY \"z_index\""
      }
    }
  }

  /// The same as ``selectAll`` for the row IDs in a JSON array and all rows that can be reached
  /// from them through a to-one relationship of the type to itself.
  func selectReached(along column: Int) throws(SQLiteError) -> SQLiteStatement {
    if let cached = reachedSelects[column] { return cached }
    let name = expressions[column]
    // If the file lacks the column, no other rows can be reached.
    guard name != "NULL" else {
      let statement = try selectListed
      reachedSelects[column] = statement
      return statement
    }
    let statement = try connection.prepare(
      """
      WITH RECURSIVE reached (z) AS (SELECT value FROM json_each(?) UNION \
      SELECT row.\(name) FROM reached CROSS JOIN \(table) AS row ON row."z_index" = reached.z \
      WHERE row.\(name) IS NOT NULL) \
      \(select) WHERE "z_index" IN (SELECT z FROM reached) ORDER BY "z_index"
      """, isPersistent: true)
    reachedSelects[column] = statement
    return statement
  }

  /// Selects the row ID that a to-one relationship of a row refers to. Parameter: the row ID of the
  /// row.
  package func selectTarget(along column: Int) throws(SQLiteError) -> SQLiteStatement {
    if let cached = targetSelects[column] { return cached }
    let statement = try connection.prepare(
      "SELECT \(expressions[column]) FROM \(table) WHERE \"z_index\" = ?", isPersistent: true)
    targetSelects[column] = statement
    return statement
  }

  /// The same as ``selectAll`` for the rows whose relationship refers to a given row. The
  /// parameters are the row ID of that row, a row ID that those of the result must exceed, and the
  /// limit. An owner that refers to the row several times is returned once for each reference, in
  /// consecutive rows.
  func selectOwners(along property: PropertySchema) throws(SQLiteError) -> SQLiteStatement {
    try makeOwnerStatements(property).select
  }

  /// Counts the rows whose relationship refers to a row.
  func countOwners(along property: PropertySchema) throws(SQLiteError) -> SQLiteStatement {
    try makeOwnerStatements(property).count
  }

  private func makeOwnerStatements(
    _ property: PropertySchema
  ) throws(SQLiteError) -> (select: SQLiteStatement, count: SQLiteStatement) {
    if let cached = ownerStatements[ObjectIdentifier(property)] { return cached }
    let rows: String
    let count: String
    let collection = schema.collections.firstIndex { $0 === property }.map { links[$0] }
    if let collection, !collection.exists {
      rows = "\(select) WHERE 0 * ?1 * ?2 * ?3"
      count = "SELECT 0 * ?"
    } else if let names = collection?.names {
      // Takes one index step for each join row, without the temporary table that IN would create.
      rows =
        "SELECT \(columns(of: "row").joined(separator: ", ")) FROM \(names.table) AS link CROSS JOIN \(table) AS row "
        + "ON row.\"z_index\" = link.\(names.owner) WHERE link.\(names.target) = ?1 "
        + "AND link.\(names.owner) > ?2 ORDER BY link.\(names.owner) LIMIT ?3"
      count =
        "SELECT count(DISTINCT \(names.owner)) FROM \(names.table) WHERE \(names.target) = ?"
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
    ownerStatements[ObjectIdentifier(property)] = statements
    return statements
  }

  package var hasRow: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.hasRow) { "SELECT 1 FROM \(table) WHERE \"z_index\" = ?" }
    }
  }

  /// Selects the version of a row. Parameter: the row ID.
  var version: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.version) {
        "SELECT \(schema.columns[schema.version ?? 0].name.quoted) FROM \(table) "
          + "WHERE \"z_index\" = ?"
      }
    }
  }

  /// The same as ``selectAll`` for one primary value.
  var selectByPrimary: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectByPrimary) { "\(select) WHERE \(readPrimary) = ?" }
    }
  }

  /// The same as ``selectAll`` for the row with a key. Parameters: the columns of the key.
  var selectByKey: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectByKey) {
        let condition = schema.key.map { "\(expressions[$0]) = ?" }
        return "\(select) WHERE \(condition.joined(separator: " AND "))"
      }
    }
  }

  var hasPrimary: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.hasPrimary) { "SELECT 1 FROM \(table) WHERE \(readPrimary) = ?" }
    }
  }

  /// Selects the ID of the row that has the given values in columns with a uniqueness constraint.
  /// Parameters: the values of the columns, in the given order.
  func rowID(with columns: [Int]) throws(SQLiteError) -> SQLiteStatement {
    if let cached = rowIDsByColumns[columns] { return cached }
    let condition = columns.map { "\(schema.columns[$0].name.quoted) = ?" }
    let sql = "SELECT \"z_index\" FROM \(table) WHERE \(condition.joined(separator: " AND "))"
    let statement = try connection.prepare(sql, isPersistent: true)
    try Catalogue(connection: connection).checkReadsNoOutdatedIndex(statement)
    rowIDsByColumns[columns] = statement
    return statement
  }

  /// Updates the row with a primary value. Parameters: the type's columns in their order. The
  /// version is incremented by its parameter, the version of a new row.
  var updateByPrimary: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.updateByPrimary) {
        var assignments: [String] = []
        for (column, name) in schema.columns.map(\.name.quoted).enumerated()
        where column != schema.primary {
          let value = column == schema.version ? "\(name) + " : ""
          assignments.append("\(name) = \(value)?\(column + 1)")
        }
        // A type whose only column is the primary column has nothing to change.
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

  /// Updates columns of a row. Parameters: the given columns in their order, then the row ID. If the
  /// version is one of the columns, only a row with the version before it is updated.
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
    var condition = "\"z_index\" = ?"
    if let version = schema.version, let place = columns.indices.firstIndex(of: version) {
      condition += " AND \(schema.columns[version].name.quoted) = ?\(place + 1) - 1"
    }
    let statement = try connection.prepare(
      "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(condition)",
      isPersistent: true)
    // A type with many columns has too many sets of columns to keep a compiled statement for each.
    if updates.count >= 64 { updates.removeAll() }
    updates[columns] = statement
    return statement
  }

  /// The selected columns of a row under an alias: the row ID, then the type's columns.
  func columns(of name: String) -> [String] {
    (["\"z_index\""] + expressions).map { $0.hasPrefix("\"") ? "\(name).\($0)" : $0 }
  }

  private var select: String {
    "SELECT \((["\"z_index\""] + expressions).joined(separator: ", ")) FROM \(table)"
  }

  /// The expression of the primary column in the file's table. Used only for reading.
  private var readPrimary: String { expressions[schema.primary ?? 0] }

  var primary: String { schema.columns[schema.primary ?? 0].name.quoted }

  @inline(__always)
  func statement(
    _ kind: Kind, _ sql: () -> String
  ) throws(SQLiteError) -> SQLiteStatement {
    if let cached = prepared[kind.rawValue] { return cached }
    return try prepare(kind, sql())
  }

  private func prepare(_ kind: Kind, _ sql: String) throws(SQLiteError) -> SQLiteStatement {
    let statement = try connection.prepare(sql, isPersistent: true)
    prepared[kind.rawValue] = statement
    return statement
  }
}

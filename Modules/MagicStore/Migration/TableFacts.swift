import MagicSQLite

/// What a plan must know of the rows of a table, asked of the file as it is.
struct TableFacts {
  let connection: SQLiteConnection
  let shape: TableShape

  private var table: String { shape.storedName.quoted }

  var hasRows: Bool {
    get throws { try count("SELECT EXISTS (SELECT 1 FROM \(table))") != 0 }
  }

  /// How many rows have a value in a column. A file's name that is empty is none.
  func valueCount(of column: TableShape.Column) throws -> Int64 {
    guard case .stored(let name) = column.values else { return 0 }
    let condition =
      column.isFile ? "ifnull(\(name.quoted), '') <> ''" : "\(name.quoted) IS NOT NULL"
    return try count("SELECT count(*) FROM \(table) WHERE \(condition)")
  }

  func linkCount(of collection: TableShape.Collection) throws -> Int64 {
    try count("SELECT count(*) FROM \(collection.storedTable.quoted)")
  }

  /// The first few rows that a condition holds for, in which the column is called by its name in the
  /// file; none where its values are not known yet.
  func rows(
    where condition: (String) -> String, of column: TableShape.Column
  ) throws -> [Int64] {
    guard case .stored(let name) = column.values else { return [] }
    return try firstRows("SELECT \"z_index\" FROM \(table) WHERE \(condition(name.quoted))")
  }

  /// The first few owners of a collection that have more members than one.
  func ownersOfSeveral(_ collection: TableShape.Collection) throws -> [Int64] {
    try firstRows(
      "SELECT \"owner\" FROM \(collection.storedTable.quoted) GROUP BY \"owner\" "
        + "HAVING count(*) > 1 ORDER BY \"owner\"")
  }

  /// The first few owners of a list that have a member twice.
  func ownersOfTwins(_ collection: TableShape.Collection) throws -> [Int64] {
    try firstRows(
      "SELECT DISTINCT \"owner\" FROM \(collection.storedTable.quoted) "
        + "GROUP BY \"owner\", \"target\" HAVING count(*) > 1 ORDER BY \"owner\"")
  }

  /// The first few rows without members.
  func rowsWithout(_ collection: TableShape.Collection) throws -> [Int64] {
    try firstRows(
      "SELECT \"z_index\" FROM \(table) WHERE \"z_index\" NOT IN "
        + "(SELECT \"owner\" FROM \(collection.storedTable.quoted)) ORDER BY \"z_index\"")
  }

  /// The first few rows of a query for z-indexes.
  func firstRows(_ query: String) throws -> [Int64] {
    try Self.firstRows(query, on: connection)
  }

  static func firstRows(_ query: String, on connection: SQLiteConnection) throws -> [Int64] {
    let statement = try connection.prepare("\(query) LIMIT \(RowNames.most + 1)")
    defer { statement.reset() }
    var rows: [Int64] = []
    while try statement.step() { rows.append(statement.column(0).integer) }
    return rows
  }

  private func count(_ query: String) throws -> Int64 { try connection.integer(query) ?? 0 }
}

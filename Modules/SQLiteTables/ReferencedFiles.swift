package import MagicFiles
package import MagicSQLite
import MagicSchema

/// The columns of a database that refer to files, and the files that their rows name.
package struct ReferencedFiles {
  package let connection: SQLiteConnection
  /// The existing columns in the database's list of file columns, and the columns that are not in
  /// the list but whose references triggers count.
  package let columns: [AssetColumn]
  /// Those of the columns that are not in the list.
  package let unlisted: [AssetColumn]
  /// Those of the columns whose table lacks the triggers that count references.
  let uncounted: [AssetColumn]
  /// The columns in the list that do not exist.
  package let unknown: [AssetColumn]
  /// Whether the database has the asset table, which contains the counts.
  package let isCounted: Bool

  package init(on connection: SQLiteConnection) throws(SQLiteError) {
    self.connection = connection
    let catalogue = Catalogue(connection: connection)
    isCounted = try catalogue.exists(AssetTable.name)
    var columns: [AssetColumn] = []
    var unknown: [AssetColumn] = []
    var keys: Set<[String]> = []
    func enter(_ column: AssetColumn) throws(SQLiteError) -> Bool {
      guard try Self.exists(column, connection, catalogue) else { return false }
      if keys.insert(column.key).inserted { columns.append(column) }
      return true
    }
    if try catalogue.exists(Catalogue.assetColumns) {
      for column in try Self.listed(connection, catalogue) {
        if try !enter(column) { unknown.append(column) }
      }
    }
    let listedCount = columns.count
    var triggers: [[String]: Int] = [:]
    for column in try Self.counted(connection, catalogue) where try enter(column) {
      triggers[column.key, default: 0] += 1
    }
    self.columns = columns
    self.unknown = unknown
    unlisted = Array(columns[listedCount...])
    uncounted = columns.filter { triggers[$0.key, default: 0] < AssetTriggers.suffixes.count }
  }

  /// The tables that lack the triggers that count references to files.
  package var uncountedTables: [String] {
    var known: Set<String> = []
    return uncounted.map(\.table).filter { known.insert($0.folded).inserted }
  }

  /// Whether no row of another column can refer to a file. A listed column that does not exist may
  /// have been renamed, together with its rows.
  package var areComplete: Bool { unknown.isEmpty }

  private static func listed(
    _ connection: SQLiteConnection, _ catalogue: Catalogue
  ) throws(SQLiteError) -> [AssetColumn] {
    try columns(
      of: connection.prepare(
        "SELECT \"table_name\", \"column_name\" FROM \"magic_asset_columns\""), catalogue)
  }

  /// Returns the columns whose references triggers count. Each column occurs once for each of its
  /// triggers.
  private static func counted(
    _ connection: SQLiteConnection, _ catalogue: Catalogue
  ) throws(SQLiteError) -> [AssetColumn] {
    try columns(
      of: connection.prepare(
        """
        SELECT "trigger"."tbl_name", "column"."name" \
        FROM sqlite_master AS "trigger", pragma_table_info("trigger"."tbl_name") AS "column" \
        WHERE "trigger"."type" = 'trigger' AND (\(isAssetTrigger)) \
        AND instr("trigger"."sql", '."' || replace("column"."name", '"', '""') || '"') > 0
        """), catalogue)
  }

  private static let isAssetTrigger = AssetTriggers.suffixes
    .map { "\"trigger\".\"name\" LIKE '%\($0)'" }.joined(separator: " OR ")

  private static func columns(
    of statement: SQLiteStatement, _ catalogue: Catalogue
  ) throws(SQLiteError) -> [AssetColumn] {
    var columns: [AssetColumn] = []
    while try statement.step() {
      let table = statement.column(0).text
      columns.append(
        AssetColumn(
          type: try catalogue.entry(for: table)?.typeName, table: table,
          column: statement.column(1).text))
    }
    return columns
  }

  private static func exists(
    _ column: AssetColumn, _ connection: SQLiteConnection, _ catalogue: Catalogue
  ) throws(SQLiteError) -> Bool {
    guard try catalogue.exists(column.table) else { return false }
    let statement = try connection.cachedStatement(
      """
      SELECT count(*) FROM pragma_table_info(?) \
      WHERE "name" = ? COLLATE NOCASE OR "name" = 'z_index'
      """)
    defer { statement.reset() }
    try statement.bind(column.table, at: 1)
    try statement.bind(column.column, at: 2)
    return try statement.step() && statement.column(0).integer == 2
  }

  /// Calls the body with each file that rows refer to. A file whose count is wrong may occur
  /// several times.
  package func forEachFile(_ body: (AssetName) throws -> Void) throws {
    if isCounted {
      try forEachName("SELECT \"name\" FROM \"magic_assets\" WHERE \"uses\" > 0", body)
    }
    for column in columns {
      let name = column.column.quoted
      let isNew =
        isCounted
        ? " AND NOT EXISTS (SELECT 1 FROM \"magic_assets\" "
          + "WHERE \"name\" = \"named\".\(name) AND \"uses\" > 0)"
        : ""
      try forEachName(
        """
        SELECT DISTINCT \(name) FROM \(column.table.quoted) AS "named" \
        WHERE typeof(\(name)) = 'text' AND \(name) <> ''\(isNew)
        """, body)
    }
  }

  /// Returns how many rows refer to each of the files, without files that no row refers to. Runs
  /// one statement for each column, for any number of files.
  package func uses(
    of names: [AssetName], in columns: [AssetColumn]
  ) throws(SQLiteError) -> [AssetName: Int64] {
    var uses: [AssetName: Int64] = [:]
    // A file's name contains no character that JSON escapes.
    let list = "[\(names.lazy.map { "\"\($0)\"" }.joined(separator: ","))]"
    for column in columns {
      let statement = try connection.prepare(
        """
        SELECT \(column.column.quoted), count(*) FROM \(column.table.quoted) \
        WHERE typeof(\(column.column.quoted)) = 'text' \
        AND \(column.column.quoted) IN (SELECT value FROM json_each(?)) GROUP BY 1
        """)
      try statement.bind(list, at: 1)
      while try statement.step() {
        guard let name = AssetName(statement.column(0).text) else { continue }
        uses[name, default: 0] += statement.column(1).integer
      }
    }
    return uses
  }

  private func forEachName(_ sql: String, _ body: (AssetName) throws -> Void) throws {
    let statement = try connection.prepare(sql)
    while try statement.step() {
      if let name = AssetName(statement.column(0).text) { try body(name) }
    }
  }

  /// Returns a row that refers to a file.
  package func row(naming name: AssetName) throws(SQLiteError) -> (column: AssetColumn, row: Int64)?
  {
    for column in columns {
      let statement = try connection.prepare(
        """
        SELECT "z_index" FROM \(column.table.quoted) WHERE \(column.column.quoted) = ? LIMIT 1
        """)
      try statement.bind(name.text, at: 1)
      if try statement.step() { return (column, statement.column(0).integer) }
    }
    return nil
  }
}

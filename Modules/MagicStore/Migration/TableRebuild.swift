import MagicSQLite
import MagicSchema

/// Makes a table anew: under another name, with the rows of the old one, whose place it takes.
///
/// What others have made of the table, indexes and triggers, is made again.
struct TableRebuild {
  /// What the name of a table begins with that is to take the place of another.
  static let prefix = "magic_new "

  /// So many rows are copied at once.
  static let portion = 10_000

  let table: String
  let newTable: String
  /// All of them, in order.
  let statements: [String]
  /// The one that copies a portion: its parameters are a z-index to begin with, and a number of rows.
  let copy: Int

  /// - Parameter sources: for each column of the type, what it is made of.
  init(
    _ schema: ObjectSchema, _ shape: TableShape, sources: [String], _ connection: SQLiteConnection
  ) throws {
    let sql = TableSQL(schema: schema)
    table = schema.tableName
    newTable = Self.prefix + table
    let links = sql.links
    let selected = (["\"z_index\""] + sources).joined(separator: ", ")
    copy = 1
    let others = try Self.others(
      on: shape, except: links.map(\.name) + shape.collections.map(\.linkTable), connection)
    statements =
      try [
        sql.createTable(as: newTable),
        "INSERT INTO \(newTable.quoted) SELECT \(selected) FROM \(table.quoted) AS row "
          + "WHERE \"z_index\" >= ?1 ORDER BY \"z_index\" LIMIT ?2",
        "DROP TABLE \(table.quoted)",
        "ALTER TABLE \(newTable.quoted) RENAME TO \(table.quoted)",
      ] + schema.indexes.map(sql.create) + [sql.createHighWaterTrigger]
      + AssetTriggers(schema).create + links.flatMap { try $0.cascadeTriggers } + others
  }

  /// The statements of indexes and triggers on a table that others have made.
  ///
  /// - Parameter links: the tables of links whose triggers are the library's.
  static func others(
    on shape: TableShape, except links: [String], _ connection: SQLiteConnection
  ) throws(SQLiteError) -> [String] {
    let known = Set(TableSQL.triggers(ofTable: shape.storedName, links: links))
    let prefix = IndexSchema.prefix(ofTable: shape.storedName)
    let statement = try connection.prepare(
      """
      SELECT name, sql FROM sqlite_master WHERE tbl_name = ? COLLATE NOCASE \
      AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid
      """)
    defer { statement.reset() }
    try statement.bind(shape.storedName, at: 1)
    var others: [String] = []
    while try statement.step() {
      let name = statement.column(0).text
      guard !known.contains(name), !name.hasPrefix(prefix) else { continue }
      others.append(statement.column(1).text)
    }
    return others
  }
}

import DatabaseTransfer
import MagicSQLite
import MagicSchema
import SQLiteTables

/// A database of the original MagicData.
///
/// The table `0Table_Info` names the tables of the types. A table has the name of its type, a column
/// `z_index` that numbers the objects from 0 on, and a column for each property, with the property's name
/// after an underscore. A to-one contains the number of its object; a collection of objects is a blob with
/// the JSON of their numbers; an asset is the path of its file.
struct OriginalFile {
  static let number = "z_index"
  private static let types = "0Table_Info"

  let database: ForeignDatabase
  /// The names of the columns of each type's table, without `z_index`.
  let columns: [String: [String]]
  /// The names of all tables and views.
  let names: Set<String>

  var connection: SQLiteConnection { database.connection }

  /// - Throws: `MagicError`: `.cannotOpen`, `.notADatabase`, `.corrupt`, `.busy`.
  init(path: String) throws {
    database = try ForeignDatabase(path: path)
    do {
      columns = try Self.columns(database.connection)
      names = try Self.names(database.connection)
    } catch {
      database.close()
      throw error
    }
  }

  private static func columns(_ connection: SQLiteConnection) throws -> [String: [String]] {
    try translatingErrors {
      let known = try names(of: types, connection)
      guard known.contains("table_name"), known.contains("z_index_count") else {
        let isOwn = try Catalogue(connection: connection).exists("magic_format")
        guard !isOwn else { throw ForeignDatabase.ownDatabase() }
        throw MagicError(.notADatabase, "The file is not a database of the original MagicData.")
      }
      var columns: [String: [String]] = [:]
      for table in try connection.textColumn("SELECT \"table_name\" FROM \"0Table_Info\"") {
        let names = try names(of: table, connection)
        // A table is created with the first object of its type.
        guard !names.isEmpty else { continue }
        guard names.contains(number) else {
          throw MagicError(.corrupt, "The table of the type has no column z_index.", type: table)
        }
        columns[table] = names.filter { $0 != number }
      }
      return columns
    }
  }

  private static func names(_ connection: SQLiteConnection) throws -> Set<String> {
    try translatingErrors {
      Set(
        try connection.textColumn(
          "SELECT \"name\" FROM sqlite_master WHERE \"type\" IN ('table', 'view')"))
    }
  }

  /// The names of the columns of a table; empty if there is no table, and for a view or a virtual table,
  /// whose rows could have no end.
  private static func names(of table: String, _ connection: SQLiteConnection) throws -> [String] {
    let statement = try connection.prepare(
      """
      SELECT c."name" FROM sqlite_master AS t, pragma_table_info(t."name") AS c
      WHERE t."name" = ? AND t."type" = 'table' AND t."sql" LIKE 'CREATE TABLE%'
      """)
    try statement.bind(table, at: 1)
    var names: [String] = []
    while try statement.step() { names.append(statement.column(0).text) }
    return names
  }

  /// The highest number and auto-increment primary that the type's table has ever had.
  func highest(_ table: String) throws -> (number: Int64, primary: Int64) {
    try translatingErrors {
      func integer(_ sql: String, _ text: String? = nil) throws -> Int64? {
        let statement = try connection.prepare(sql)
        if let text { try statement.bind(text, at: 1) }
        guard try statement.step(), statement.column(0).type == .integer else { return nil }
        return statement.column(0).integer
      }
      let count = try integer(
        "SELECT \"z_index_count\" FROM \"0Table_Info\" WHERE \"table_name\" = ?", table)
      let last = try integer("SELECT max(\"z_index\") FROM \(table.quoted)")
      let primary =
        try Catalogue(connection: connection).exists("sqlite_sequence")
        ? integer("SELECT \"seq\" FROM sqlite_sequence WHERE \"name\" = ?", table) : nil
      return (max(count.map { $0 &- 1 } ?? -1, last ?? -1), primary ?? 0)
    }
  }
}

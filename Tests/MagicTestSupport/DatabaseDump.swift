import Foundation
import MagicSQLite

/// The contents of a database, read without the library: the SQL of its schema, and every row of
/// every table, with the contents of files instead of their names.
package struct DatabaseDump {
  /// The rows without an order, by their table; the definitions by their kind.
  package private(set) var lines: [String: [String]] = [:]
  /// Violations that must not exist, at any step at which the program ended.
  package private(set) var faults: [String] = []
  /// The files that rows refer to.
  private var used: Set<String> = []
  /// The files in the database's table of files.
  private var known: Set<String> = []
  private let folder: URL

  package init(of path: String) throws {
    folder = URL(fileURLWithPath: path + "-assets", isDirectory: true)
    let connection = try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
    defer { connection.close() }
    faults = try connection.damage()
    for row in try connection.rows("SELECT type, name, sql FROM sqlite_master") {
      lines["the \(row[0]) definitions", default: []].append("\(row[1]): \(row[2])")
      check(row[1], row[2])
    }
    try read(connection)
    for table in lines.keys { lines[table]?.sort() }
  }

  /// Files and rows that should not exist after the database was opened and closed.
  package var leftovers: [String] { filesLeft(in: folder, used: used, known: known) }

  /// The differences from another database; empty if there are none.
  package func differences(from other: DatabaseDump) -> [String] {
    Set(lines.keys).union(other.lines.keys).sorted().filter { lines[$0] != other.lines[$0] }
  }

  // MARK: Reading

  /// Names of objects that exist only during a migration.
  private mutating func check(_ name: String, _ sql: String) {
    if name.contains("magic_new") { faults.append("a table is left: \(name)") }
    if sql.contains("magic_deleted") { faults.append("a column is left in \(name)") }
  }

  private mutating func read(_ connection: SQLiteConnection) throws {
    // A file that is marked for removal is removed later, and no row refers to it.
    var contents: [String: String] = [:]
    let hasAssets = lines["the table definitions"]?.contains { $0.hasPrefix("magic_assets:") }
    let assets =
      hasAssets == true ? try connection.rows("SELECT name, uses FROM magic_assets") : []
    for row in assets {
      known.insert(row[0])
      guard Int(row[1]) ?? 0 > 0 else { continue }
      guard let data = try? Data(contentsOf: folder.appendingPathComponent(row[0])) else {
        faults.append("a named file is missing: \(row[0])")
        continue
      }
      used.insert(row[0])
      contents[row[0]] = "file .\((row[0] as NSString).pathExtension) \(data.base64EncodedString())"
    }
    for table in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
      let condition = table[0] == "magic_assets" ? "WHERE uses > 0" : ""
      lines["table \(table[0])"] =
        try connection.rows("SELECT * FROM \"\(table[0])\" \(condition)")
        .map { row in row.map { contents[$0] ?? $0 }.joined(separator: " | ") }
    }
  }
}

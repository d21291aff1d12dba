import Foundation
import MagicSQLite

/// All that is in a database, read without the library's own care: the statements that make it, and
/// every row of every table, with the files' contents in place of their names.
package struct DatabaseDump {
  /// The rows in no order, by their table; the definitions under their kind.
  package private(set) var lines: [String: [String]] = [:]
  /// What must never be, whenever the program ended.
  package private(set) var faults: [String] = []
  /// The files that rows have.
  private var used: Set<String> = []
  /// The files that the database knows of.
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

  /// What should be gone once the database was opened and closed.
  package var leftovers: [String] { filesLeft(in: folder, used: used, known: known) }

  /// Where another database differs; empty for none.
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
    // A file that is condemned is removed some time, and no row has it.
    var contents: [String: String] = [:]
    let hasAssets = lines["the table definitions"]?.contains { $0.hasPrefix("magic_assets:") }
    let assets =
      hasAssets == true ? try connection.rows("SELECT name, uses FROM magic_assets") : []
    for row in assets {
      known.insert(row[0])
      guard Int(row[1]) ?? 0 > 0 else { continue }
      guard let data = try? Data(contentsOf: folder.appendingPathComponent(row[0])) else {
        faults.append("a named file is not there: \(row[0])")
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

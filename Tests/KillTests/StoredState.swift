import Foundation
import KillProgram
import MagicSQLite
import MagicTestSupport

/// The stored state, read without the library's recovery: rows by SQL, files by their names.
struct StoredState {
  private(set) var contents = Contents()
  /// Violations that are not allowed at any moment of a kill.
  private(set) var faults: [String] = []
  /// The number of rows that refer to each file, by the file's name.
  private(set) var uses: [String: Int] = [:]
  /// The reference counts in the table of files.
  private(set) var counts: [String: Int] = [:]
  let folder: URL

  init(at path: String) throws {
    folder = URL(fileURLWithPath: path + "-assets", isDirectory: true)
    guard FileManager.default.fileExists(atPath: path) else { return }
    let connection = try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
    defer { connection.close() }
    try read(connection)
  }

  private mutating func read(_ connection: SQLiteConnection) throws {
    faults = try connection.damage()
    let tables = Set(try connection.rows("SELECT name FROM sqlite_master").map { $0[0] })
    if tables.contains("magic_assets") {
      for row in try connection.rows("SELECT name, uses FROM magic_assets") {
        counts[row[0]] = Int(row[1])
      }
    }
    if tables.contains("Envelope") {
      for row in try connection.rows("SELECT number, version, photo FROM Envelope") {
        let (number, version) = (Int(row[0]) ?? -1, Int(row[1]) ?? -1)
        contents.envelopes[number] = version
        check(file: row[2], of: version, "envelope \(number)")
      }
    }
    if tables.contains("Letter") {
      let sql = """
        SELECT l.number, l.version, l.text, l.scan, e.number
        FROM Letter l LEFT JOIN Envelope e ON e.z_index = l.envelope
        """
      for row in try connection.rows(sql) {
        let (number, version) = (Int(row[0]) ?? -1, Int(row[1]) ?? -1)
        contents.letters[number] = .init(version: version, envelope: Int(row[4]) ?? -1)
        if row[2] != Letter.text(number, version) {
          faults.append("letter \(number) of version \(version) has the text of another")
        }
        check(file: row[3], of: version, "letter \(number)")
      }
    }
    if tables.contains("magic_search(Letter)") { try checkSearchIndex(connection) }
    let living = counts.filter { $0.value > 0 }
    if living != uses { faults.append("magic_assets has \(living), rows have \(uses)") }
  }

  /// Expects that the search index has the texts of the letters, each with its number and version, and
  /// no others.
  private mutating func checkSearchIndex(_ connection: SQLiteConnection) throws {
    let index = "\"magic_search(Letter)\""
    for (number, row) in contents.letters {
      let text = "\"\(Letter.text(number, row.version))\""
      let count = try connection.integer(
        "SELECT count(*) FROM \(index) WHERE \(index) MATCH '\(text)'")
      if count != 1 { faults.append("the search index has letter \(number) \(count ?? 0) times") }
    }
    let count = try connection.integer("SELECT count(*) FROM \(index)")
    if count.map(Int.init) != contents.letters.count {
      faults.append("the search index has \(count ?? 0) rows, not \(contents.letters.count)")
    }
    let logged = try connection.integer("SELECT count(*) FROM \"magic_search(Letter) log\"")
    if logged != 0 { faults.append("the log of the search index has \(logged ?? 0) rows") }
  }

  private mutating func check(file name: String, of version: Int, _ owner: String) {
    guard !name.isEmpty else {
      if version != 0 { faults.append("\(owner) of version \(version) refers to no file") }
      return
    }
    uses[name, default: 0] += 1
    guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else {
      faults.append("\(owner) of version \(version) has no file: \(name)")
      return
    }
    if data != Content.of(version) {
      faults.append("\(owner) of version \(version) has a file of \(data.count) wrong bytes")
    }
  }

  /// Files that should not exist after the database was opened and closed.
  var leftovers: [String] { filesLeft(in: folder, used: Set(uses.keys), known: counts.keys) }
}

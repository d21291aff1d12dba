import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

extension Scratch {
  /// Expects that the file cannot be opened, in either way, and that nothing in the directory
  /// changes. A read-only connection does not remove its empty log.
  func expectRefusal(
    _ code: MagicError.Code, at location: SourceLocation = #_sourceLocation
  ) {
    let before = contents
    for readOnly in [false, true] {
      let error = #expect(throws: MagicError.self, sourceLocation: location) {
        try open(MagicOptions(readOnly: readOnly)).close()
      }
      #expect(error?.code == code, "read-only: \(readOnly)", sourceLocation: location)
      #expect(
        contentsWithoutEmptyLogs == before, "read-only: \(readOnly)", sourceLocation: location)
    }
  }
}

extension SQLiteConnection {
  /// The texts of the first column.
  func texts(_ sql: String) throws -> [String] {
    let statement = try prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.column(0).text) }
    return texts
  }

  /// The SQL of a table, its indexes and its triggers, in the order of their creation.
  func definitions(of table: String) throws -> [String] {
    let statement = try prepare(
      "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY rowid")
    try statement.bind(table, at: 1)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.column(0).text) }
    return texts
  }
}

struct Ticket: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var title: String

  init() {}
  init(_ title: String) { self.title = title }
  init(number: Int, _ title: String) {
    self.number = number
    self.title = title
  }
}

/// The code of the error that the body throws; nil if it throws none.
func code(_ body: () throws -> Void) -> MagicError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? MagicError)?.code
  }
}

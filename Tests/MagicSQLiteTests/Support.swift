import Foundation
import MagicSQLite
import MagicTestSupport

extension Scratch {
  /// Creates a closed database with a table of numbers, checkpointed into one file.
  func makeDatabase(rows: Int = 3) throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE item (number INTEGER)")
    try connection.transaction {
      let insert = try connection.cachedStatement("INSERT INTO item VALUES (?)")
      for number in 0..<rows {
        try insert.bind(Int64(number), at: 1)
        try insert.run()
      }
    }
    connection.close()
  }
}

/// A connection to a database in memory.
func memory(_ configuration: SQLiteConfiguration = .init()) throws -> SQLiteConnection {
  try SQLiteConnection(inMemory: configuration)
}

/// The SQLite error that the body throws; nil if it throws none, or another error.
func sqliteError(_ body: () throws -> Void) -> SQLiteError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SQLiteError
  }
}

/// Extended result codes, which the C header builds in a way that Swift does not import.
enum ExtendedCode {
  static let abortRollback = Int32(516)
  static let busySnapshot = Int32(517)
  static let check = Int32(275)
  static let foreignKey = Int32(787)
  static let notNull = Int32(1299)
  static let primaryKey = Int32(1555)
  static let unique = Int32(2067)
}

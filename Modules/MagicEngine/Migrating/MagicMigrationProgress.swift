/// The progress of rebuilding one table: its rows are copied into a new table that replaces it.
///
/// ```swift
/// try await magic.migrate(Friend.self, backup: copyPath) { print($0) }
/// ```
public struct MagicMigrationProgress: Sendable, Hashable {
  /// The name of the type whose table is rebuilt, without its module.
  public let type: String
  /// The number of rows that were copied.
  public let rowsDone: Int
  /// The number of rows of the table.
  public let rowCount: Int

  package init(type: String, rowsDone: Int, rowCount: Int) {
    self.type = type
    self.rowsDone = rowsDone
    self.rowCount = rowCount
  }

  /// The fraction of the rows that was copied, from 0 to 1. The indexes are built after the copy.
  public var fraction: Double {
    rowCount > 0 ? min(1, Double(rowsDone) / Double(rowCount)) : 1
  }
}

extension MagicMigrationProgress: CustomStringConvertible {
  /// The type, the percentage and the rows.
  public var description: String {
    "\(type): \(Int(fraction * 100)) %, \(rowsDone) of \(rowCount) rows"
  }
}

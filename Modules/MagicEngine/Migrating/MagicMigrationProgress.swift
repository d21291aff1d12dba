/// How many rows of one table were copied into the table that replaces it.
public struct MagicMigrationProgress: Sendable, Hashable {
  /// The type whose table is rebuilt, without its module.
  public let type: String
  /// The rows that were written.
  public let rowsDone: Int
  /// The rows of the table.
  public let rowCount: Int

  package init(type: String, rowsDone: Int, rowCount: Int) {
    self.type = type
    self.rowsDone = rowsDone
    self.rowCount = rowCount
  }

  /// The part of the rows that was written, from 0 to 1. The indexes follow.
  public var fraction: Double {
    rowCount > 0 ? min(1, Double(rowsDone) / Double(rowCount)) : 1
  }
}

extension MagicMigrationProgress: CustomStringConvertible {
  /// Type, rows and the part in percent.
  public var description: String {
    "\(type): \(Int(fraction * 100)) %, \(rowsDone) of \(rowCount) rows"
  }
}

package import MagicSQLite

extension ForeignValue {
  /// The value of a column; nil for NULL.
  package init?(_ column: SQLiteColumn) {
    switch column.type {
    case .null: return nil
    case .integer: self = .integer(column.integer)
    case .real: self = .real(column.real)
    case .text: self = .text(Array(column.textBytes))
    case .blob: self = .blob(Array(column.blobBytes))
    }
  }

  /// The bytes of a blob.
  ///
  /// - Throws: ``ValueFault`` for another value.
  package static func blob(_ column: SQLiteColumn) throws -> [UInt8] {
    guard column.type == .blob else { throw ValueFault(reason: "it is not a blob") }
    return Array(column.blobBytes)
  }
}

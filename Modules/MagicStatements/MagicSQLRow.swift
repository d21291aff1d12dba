public import Foundation
public import Magical

/// One row of a result with its stored values, for tools that run statements whose columns they do
/// not know.
public struct MagicSQLRow: Hashable, Sendable {
  /// The names of the columns, in order.
  public let columns: [String]
  /// The values, in the order of the columns.
  public let values: [MagicSQLValue]

  /// The value of the first column with a name; nil if there is none.
  public subscript(name: String) -> MagicSQLValue? {
    columns.firstIndex(of: name).map { values[$0] }
  }
}

/// A stored value.
public enum MagicSQLValue: Hashable, Sendable {
  /// NULL.
  case null
  /// An integer. Booleans are stored as integers too.
  case integer(Int64)
  /// A floating-point number. Dates are stored as floating-point numbers too.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes. JSON is stored as bytes too.
  case blob(Data)
}

extension MagicSQLValue: MagicalColumn {
  /// Reads a column of any storage class. Text that is not valid UTF-8 throws.
  public static func _column(from reader: borrowing some MagicalReader) throws -> MagicSQLValue {
    switch reader.storageClass {
    case .integer: .integer(reader.integer)
    case .real: .real(reader.real)
    case .text: .text(try String._read(from: reader))
    case .blob: .blob(Data(reader.bytes))
    case nil: .null
    }
  }
}

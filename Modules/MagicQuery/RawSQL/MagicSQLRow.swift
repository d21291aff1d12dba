public import Foundation
public import Magical

/// One row of a result as the database has it, for tools that do not know what they ask.
public struct MagicSQLRow: Hashable, Sendable {
  /// The names of the columns, in order.
  public let columns: [String]
  /// The values, in the order of the columns.
  public let values: [MagicSQLValue]

  /// The value of the first column with a name; nil where there is none.
  public subscript(name: String) -> MagicSQLValue? {
    columns.firstIndex(of: name).map { values[$0] }
  }
}

/// A value as the database has it.
public enum MagicSQLValue: Hashable, Sendable {
  /// NULL.
  case null
  /// An integer, which booleans are as well.
  case integer(Int64)
  /// A real number, which dates are as well.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes, which JSON is as well.
  case blob(Data)
}

extension MagicSQLValue: MagicalColumn {
  /// Reads whatever the column holds; a text that is not valid UTF-8 throws.
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

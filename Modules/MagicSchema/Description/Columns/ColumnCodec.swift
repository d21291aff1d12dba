import Foundation
package import Magical

/// The value types that the engine reads and writes directly, by their exact type. Any other type
/// is converted to its column value.
@frozen @usableFromInline
package enum ColumnCodec: UInt8, Sendable, BitwiseCopyable {
  case bool
  case int, int8, int16, int32, int64
  case uint, uint8, uint16, uint32, uint64
  case double, float, date
  case string, uuid, uuidBytes, decimal
  case data, bytes, vector
  case converted
  /// The row ID of another object.
  case link
  /// The name of an asset file.
  case file

  package init(_ type: (some Magical).Type) {
    self =
      switch type {
      case is Bool.Type: .bool
      case is Int.Type: .int
      case is Int8.Type: .int8
      case is Int16.Type: .int16
      case is Int32.Type: .int32
      case is Int64.Type: .int64
      case is UInt.Type: .uint
      case is UInt8.Type: .uint8
      case is UInt16.Type: .uint16
      case is UInt32.Type: .uint32
      case is UInt64.Type: .uint64
      case is Double.Type: .double
      case is Float.Type: .float
      case is Date.Type: .date
      case is String.Type: .string
      case is UUID.Type: .uuid
      case is MagicUUID.Type: .uuidBytes
      case is Decimal.Type: .decimal
      case is Data.Type: .data
      case is [UInt8].Type: .bytes
      case is MagicVector.Type: .vector
      default: .converted
      }
  }
}

import Foundation
package import Magical

/// The value types that the store reads and writes without a detour, by their exact type. Any
/// other type goes through its stored form.
@frozen @usableFromInline
package enum ColumnCodec: UInt8, Sendable, BitwiseCopyable {
  case bool
  case int, int8, int16, int32, int64
  case uint, uint8, uint16, uint32, uint64
  case double, float, date
  case string, uuid
  case data, bytes
  case converted
  /// The z-index of another row.
  case link
  /// The name of a file beside the database.
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
      case is Data.Type: .data
      case is [UInt8].Type: .bytes
      default: .converted
      }
  }
}

import Foundation
package import MagicSchema
package import Magical

/// What the values of an imported column represent.
package enum ForeignForm: Equatable {
  case integer(ClosedRange<Int64>)
  case bool, real, float, decimal, text, url, date, uuid, uuidBytes, data, asset

  /// The form of a type's column; nil for a type whose values no attribute has.
  package init?(_ column: ColumnSchema) {
    switch column.codec {
    case .bool: self = .bool
    case .int, .int64: self = .integer(.min ... .max)
    case .int8: self = .integer(Int64(Int8.min)...Int64(Int8.max))
    case .int16: self = .integer(Int64(Int16.min)...Int64(Int16.max))
    case .int32: self = .integer(Int64(Int32.min)...Int64(Int32.max))
    case .uint, .uint64: self = .integer(0 ... .max)
    case .uint8: self = .integer(0...Int64(UInt8.max))
    case .uint16: self = .integer(0...Int64(UInt16.max))
    case .uint32: self = .integer(0...Int64(UInt32.max))
    case .double: self = .real
    case .float: self = .float
    case .date: self = .date
    case .string: self = .text
    case .uuid: self = .uuid
    case .uuidBytes: self = .uuidBytes
    case .decimal: self = .decimal
    case .data, .bytes: self = .data
    case .file:
      // Other elements of assets are not bytes.
      guard String(describing: column.valueType).hasSuffix("MagicAsset<Data>") else { return nil }
      self = .asset
    case .converted:
      guard let type = column.valueType as? any Magical.Type else { return nil }
      switch ValueForm(type) {
      case .url: self = .url
      case .text: self = .text
      case .integer: self = .integer(.min ... .max)
      case .real: self = .real
      case .data: self = .data
      case .enumeration:
        switch column.storageClass {
        case .text: self = .text
        case .integer: self = .integer(.min ... .max)
        case .real: self = .real
        case .blob: return nil
        }
      default: return nil
      }
    case .vector, .link: return nil
    }
  }

  package var kind: TransferredKind {
    switch self {
    case .integer: .integer
    case .bool: .boolean
    case .real, .float, .date: .real
    case .decimal, .text, .url, .asset: .text
    case .uuid: .uuid
    case .uuidBytes, .data: .blob
    }
  }

  /// The form in the description of a property.
  package var valueForm: ValueForm {
    switch self {
    case .integer: .integer
    case .bool: .bool
    case .real, .float: .real
    case .decimal: .decimal
    case .text: .text
    case .url: .url
    case .date: .date
    case .uuid: .uuid
    case .uuidBytes: .uuidBytes
    case .data: .data
    case .asset: .asset
    }
  }

  /// The Swift type of the values.
  package var swiftType: String {
    switch self {
    case .integer(let range):
      switch range.upperBound {
      case Int64(Int16.max): "Int16"
      case Int64(Int32.max): "Int32"
      default: "Int"
      }
    case .bool: "Bool"
    case .real: "Double"
    case .float: "Float"
    case .decimal: "Decimal"
    case .text: "String"
    case .url: "URL"
    case .date: "Date"
    case .uuid: "UUID"
    case .uuidBytes: "MagicUUID"
    case .data: "Data"
    case .asset: "MagicAsset<Data>"
    }
  }
}

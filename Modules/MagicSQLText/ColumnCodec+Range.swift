package import MagicSchema

extension ColumnCodec {
  /// The smallest and the largest integer of the type; nil if the type has 64 bits and is signed,
  /// or is no integer type.
  package var integerRange: (Int64, Int64)? {
    switch self {
    case .int8: (Int64(Int8.min), Int64(Int8.max))
    case .int16: (Int64(Int16.min), Int64(Int16.max))
    case .int32: (Int64(Int32.min), Int64(Int32.max))
    case .uint8: (0, Int64(UInt8.max))
    case .uint16: (0, Int64(UInt16.max))
    case .uint32: (0, Int64(UInt32.max))
    case .uint, .uint64: (0, Int64.max)
    default: nil
    }
  }
}

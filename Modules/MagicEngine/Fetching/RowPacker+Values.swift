import Foundation
public import MagicSchema
public import Magical

extension RowPacker {
  /// The size of a parsed text in a row; nil for a codec whose texts are stored as they are.
  @usableFromInline
  static func parsedSize(_ codec: ColumnCodec) -> Int? {
    switch codec {
    case .uuid: MemoryLayout<uuid_t>.size
    case .decimal: MemoryLayout<Decimal>.size
    default: nil
    }
  }

  /// Parses the text of a UUID or of a decimal number, and stores the value in a row.
  ///
  /// - Returns: whether the text is one.
  @usableFromInline
  func parse(
    _ text: UnsafeRawBufferPointer, _ codec: ColumnCodec, to place: UnsafeMutableRawPointer
  ) -> Bool {
    switch codec {
    case .uuid:
      guard let value = UUID(text: text) else { return false }
      place.storeBytes(of: value.uuid, as: uuid_t.self)
    case .decimal:
      guard let value = Decimal(text: text) else { return false }
      withUnsafeBytes(of: value) {
        UnsafeMutableRawBufferPointer(start: place, count: $0.count).copyMemory(from: $0)
      }
    default: return false
    }
    return true
  }

  /// Stores the place of bytes in a slot.
  @inlinable @inline(__always)
  func storePlace(
    _ offset: Int, _ count: Int, isASCII: Bool = false, in slot: UnsafeMutableRawPointer
  ) {
    let place = _MagicalPackedValue.Place(
      offset: UInt32(truncatingIfNeeded: offset), count: UInt32(truncatingIfNeeded: count))
    slot.storeBytes(of: place.word(isASCII: isASCII), as: UInt64.self)
  }

  /// Stores an integer as a value of a type that has fewer values. Not inlined, so that the loop over
  /// the columns has enough registers.
  ///
  /// - Returns: whether the type has the value.
  @usableFromInline @inline(never)
  func store(_ integer: Int64, _ codec: ColumnCodec, in slot: UnsafeMutableRawPointer) -> Bool {
    switch codec {
    case .bool: integer & ~1 == 0 && store(integer == 1, in: slot)
    case .int8: store(Int8(exactly: integer), in: slot)
    case .int16: store(Int16(exactly: integer), in: slot)
    case .int32: store(Int32(exactly: integer), in: slot)
    case .uint: store(UInt(exactly: integer), in: slot)
    case .uint8: store(UInt8(exactly: integer), in: slot)
    case .uint16: store(UInt16(exactly: integer), in: slot)
    case .uint32: store(UInt32(exactly: integer), in: slot)
    case .uint64: store(UInt64(exactly: integer), in: slot)
    default: false
    }
  }

  @inlinable @inline(__always)
  func store<Value: BitwiseCopyable>(
    _ value: Value?, in slot: UnsafeMutableRawPointer
  ) -> Bool {
    guard let value else { return false }
    slot.storeBytes(of: value, as: Value.self)
    return true
  }

  /// Returns bytes, and whether they are the sixteen of a UUID, or four for each number of a vector.
  @inlinable @inline(__always)
  func sized(
    _ bytes: UnsafeRawBufferPointer, _ codec: ColumnCodec
  ) -> (bytes: UnsafeRawBufferPointer, isValid: Bool) {
    switch codec {
    case .uuidBytes: (bytes, bytes.count == 16)
    case .vector: (bytes, bytes.count % MemoryLayout<Float>.size == 0)
    default: (bytes, true)
    }
  }

  /// Packs a value that is not stored in the form of its type.
  @inlinable @inline(__always)
  func packConverted(
    _ value: borrowing some PackableColumn, _ index: Int, into slot: UnsafeMutableRawPointer,
    _ row: UnsafeMutableRawPointer
  ) throws {
    if let bits = caseBits(value, index) {
      slot.storeBytes(of: bits, as: UInt64.self)
    } else {
      try convert(value, index, into: slot, row)
    }
  }

  /// Returns what the slot of an enumeration contains for a value; nil for a column of another type, and
  /// for a value of none of its cases.
  @inlinable @inline(__always)
  func caseBits(_ value: borrowing some PackableColumn, _ index: Int) -> UInt64? {
    guard let cases = cases[index] else { return nil }
    return switch value.kind {
    case .text: cases.bits(text: value.textBytes)
    case .integer: cases.bits(integer: value.integer)
    case .null, .real, .blob: nil
    }
  }
}

public import CMagicRuntime

/// How the values of a type are stored in a packed row.
public enum _MagicalPacking: UInt8, Sendable, BitwiseCopyable {
  /// The slot contains the bits of the value.
  case inline
  /// The slot contains the offset and the length of bytes that follow the slots of the row.
  case bytes
  /// The slot contains a reference to an object that contains the value.
  case object
  /// The slot refers to another row.
  case link
  /// The value is not in the row. It is fetched when the property is read.
  case lazy
}

/// One value of a packed row: an eight-byte slot, and the address of the row that contains it.
///
/// A packed value is valid as long as its row. Only the storage of fetched rows creates packed
/// values.
@frozen
public struct _MagicalPackedValue {
  /// The size of a slot, in bytes.
  @inlinable public static var slotSize: Int { 8 }

  /// The address of the slot. Only ``bytes`` reads a slot that refers to bytes.
  public let slot: UnsafeRawPointer
  /// The address of the row.
  public let row: UnsafeRawPointer

  /// Creates the value of a slot in a row.
  @inlinable public init(slot: UnsafeRawPointer, row: UnsafeRawPointer) {
    self.slot = slot
    self.row = row
  }

  /// The bytes that the slot refers to.
  @inlinable public var bytes: UnsafeRawBufferPointer {
    bytes(at: Place(word: magic_word_load(slot.assumingMemoryBound(to: UInt64.self))))
  }

  /// The bytes at a position in the row.
  @inlinable package func bytes(at place: Place) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: row + Int(place.offset), count: Int(place.count))
  }

  /// The position of bytes in a row.
  @frozen
  public struct Place {
    /// The offset of the first byte from the address of the row, less than 1 GiB.
    public let offset: UInt32
    /// The number of bytes, less than 1 GiB.
    public let count: UInt32

    /// Creates the position of `count` bytes at an offset.
    @inlinable public init(offset: UInt32, count: UInt32) {
      self.offset = offset
      self.count = count
    }
  }
}

/// The content of a slot that refers to bytes: the offset in the lower half of the word, the number of
/// bytes in the upper half, and marks in the bits that both do not need; or the address of an object that
/// contains the position. Other threads may change the slot of a text, so the word is read as a whole.
extension _MagicalPackedValue.Place {
  /// The size that no row of a fetch has, in bytes: 1 GiB.
  @inlinable package static var limit: Int { 1 << 30 }
  /// The bit that marks an ASCII text: the top bit of the offset.
  @inlinable package static var asciiMark: UInt64 { 1 << 31 }
  /// The bit that marks a text that was read.
  @inlinable package static var readMark: UInt64 { 1 << 62 }
  /// The bit that marks the address of an object.
  @inlinable package static var objectMark: UInt64 { 1 << 63 }
  /// The offset of the position in such an object, in bytes: it follows the header, which has two words.
  @inlinable package static var offsetInObject: Int { 2 * MemoryLayout<Int>.size }

  /// Reads the position from a slot.
  @inlinable package init(word: UInt64) {
    guard word & Self.objectMark == 0 else {
      let object = UnsafeRawPointer(bitPattern: UInt(word & ~Self.objectMark))
      self = object.unsafelyUnwrapped.load(fromByteOffset: Self.offsetInObject, as: Self.self)
      return
    }
    offset = UInt32(truncatingIfNeeded: word & ~Self.asciiMark)
    count = UInt32(truncatingIfNeeded: (word & ~Self.readMark) &>> 32)
  }

  /// Returns the content of a slot.
  @inlinable package func word(isASCII: Bool) -> UInt64 {
    UInt64(count) &<< 32 | UInt64(offset) | (isASCII ? Self.asciiMark : 0)
  }
}

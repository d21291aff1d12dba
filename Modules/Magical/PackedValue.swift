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

  /// The address of the slot.
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
    let place = slot.assumingMemoryBound(to: Place.self).pointee
    return UnsafeRawBufferPointer(start: row + Int(place.offset), count: Int(place.count))
  }

  /// The position of bytes in a row.
  @frozen
  public struct Place {
    /// The offset of the first byte from the address of the row.
    public let offset: UInt32
    /// The number of bytes.
    public let count: UInt32

    /// Creates the position of `count` bytes at an offset.
    @inlinable public init(offset: UInt32, count: UInt32) {
      self.offset = offset
      self.count = count
    }
  }
}

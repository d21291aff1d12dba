/// How the values of one type lie in a packed row.
public enum _MagicalPacking: UInt8, Sendable, BitwiseCopyable {
  /// The value's own bits lie in the slot.
  case inline
  /// The slot holds offset and length of bytes that lie behind the row's slots.
  case bytes
  /// The slot holds a reference to an object that holds the value.
  case object
  /// The slot refers to another row.
  case link
  /// The value is fetched when it is asked for.
  case lazy
}

/// One value of a packed row: an eight-byte slot, and the row that its bytes lie in.
///
/// Valid while the row is; only the record storage makes one.
@frozen
public struct _MagicalPackedValue {
  /// The size of every slot, in bytes.
  @inlinable public static var slotSize: Int { 8 }

  /// Where the value's slot lies.
  public let slot: UnsafeRawPointer
  /// Where the row begins.
  public let row: UnsafeRawPointer

  /// A value in a slot of a row.
  @inlinable public init(slot: UnsafeRawPointer, row: UnsafeRawPointer) {
    self.slot = slot
    self.row = row
  }

  /// The bytes that the slot points to.
  @inlinable public var bytes: UnsafeRawBufferPointer {
    let place = slot.assumingMemoryBound(to: Place.self).pointee
    return UnsafeRawBufferPointer(start: row + Int(place.offset), count: Int(place.count))
  }

  /// Where bytes lie, relative to the row.
  @frozen
  public struct Place {
    /// Where the bytes begin, counted from the row.
    public let offset: UInt32
    /// How many bytes there are.
    public let count: UInt32

    /// A place of so many bytes.
    @inlinable public init(offset: UInt32, count: UInt32) {
      self.offset = offset
      self.count = count
    }
  }
}

/// A property's place: what keeps its value, and where that is.
///
/// It is all that a property wrapper holds. Copies of an object hold the same references, which is
/// how they share state.
@frozen @usableFromInline
package struct PropertyReference: @unchecked Sendable {
  @usableFromInline package let storage: PropertyStorage

  /// Zero for a box. Else the top bit is set, the low sixteen bits are the column and what lies
  /// between is the address of the row, whose last three bits are zero.
  @usableFromInline package let location: UInt

  @inlinable
  package init(storage: PropertyStorage, location: UInt) {
    self.storage = storage
    self.location = location
  }

  @inlinable package static func location(row: PackedRow, column: Int) -> UInt {
    ~(UInt.max >> 1) | (UInt(bitPattern: row.address) >> 3) << 16 | UInt(bitPattern: column)
  }

  /// The row of a property that is none of a box's.
  @inlinable package var row: PackedRow {
    PackedRow(
      address: UnsafeMutableRawPointer(bitPattern: ((location & UInt.max >> 1) >> 16) << 3)
        .unsafelyUnwrapped)
  }

  @inlinable package var column: Int { Int(bitPattern: location & 0xFFFF) }

  @inlinable package var isBox: Bool { location == 0 }
}

extension PropertyReference {
  /// Whether two references are the same property of the same object.
  func isSame(as other: PropertyReference) -> Bool {
    storage === other.storage && location == other.location
  }
}

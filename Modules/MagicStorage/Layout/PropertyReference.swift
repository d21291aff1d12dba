/// A reference to the value of a property: the storage that owns the value, and the location in it.
///
/// A property wrapper contains nothing else. Copies of an object contain the same references, and
/// so share their state.
@frozen @usableFromInline
package struct PropertyReference: @unchecked Sendable {
  @usableFromInline package let storage: PropertyStorage

  /// Zero for a box. Otherwise the top bit is set, the low sixteen bits are the column, and the
  /// bits between are the address of the row without its last three bits, which are zero.
  @usableFromInline package let location: UInt

  @inlinable
  package init(storage: PropertyStorage, location: UInt) {
    self.storage = storage
    self.location = location
  }

  @inlinable package static func location(row: PackedRow, column: Int) -> UInt {
    ~(UInt.max >> 1) | (UInt(bitPattern: row.address) >> 3) << 16 | UInt(bitPattern: column)
  }

  /// The row of a property that is not in a box.
  @inlinable package var row: PackedRow {
    PackedRow(
      address: UnsafeMutableRawPointer(bitPattern: ((location & UInt.max >> 1) >> 16) << 3)
        .unsafelyUnwrapped)
  }

  @inlinable package var column: Int { Int(bitPattern: location & 0xFFFF) }

  @inlinable package var isBox: Bool { location == 0 }
}

extension PropertyReference {
  /// Whether two references refer to the same property of the same object.
  package func isSame(as other: PropertyReference) -> Bool {
    storage === other.storage && location == other.location
  }
}

public import MagicRuntime
public import Magical

/// What keeps a property's value: a ``Cell`` of its own, or the ``RowChunk`` or ``RowGraph`` that a
/// fetched row lies in.
@usableFromInline
package class PropertyStorage: Locked {
  @usableFromInline package override init() { super.init() }
}

/// A property's place: what keeps its value, and where that is.
///
/// It is all that a property wrapper holds. Copies of an object hold the same references, which is
/// how they share state.
@frozen @usableFromInline
package struct PropertyReference: @unchecked Sendable {
  @usableFromInline package let storage: PropertyStorage

  /// Zero for a cell. Else the top bit is set, the low sixteen bits are the column and what lies
  /// between is the address of the row, whose last three bits are zero.
  @usableFromInline package let location: UInt

  @inlinable package init(cell: AnyCell) {
    storage = cell
    location = 0
  }

  package init(storage: PropertyStorage, location: UInt) {
    self.storage = storage
    self.location = location
  }

  @inlinable package static func location(row: PackedRow, column: Int) -> UInt {
    ~(UInt.max >> 1) | (UInt(bitPattern: row.address) >> 3) << 16 | UInt(bitPattern: column)
  }

  /// The row of a property that is none of a cell's.
  @inlinable package var row: PackedRow {
    PackedRow(
      address: UnsafeMutableRawPointer(bitPattern: ((location & UInt.max >> 1) >> 16) << 3)
        .unsafelyUnwrapped)
  }

  @inlinable package var column: Int { Int(bitPattern: location & 0xFFFF) }

  @inlinable package var isCell: Bool { location == 0 }
}

extension PropertyReference {
  /// The value; nil where it is NULL or was never set.
  @inlinable
  package func load<Value: Magical & Sendable>(_ type: Value.Type) -> Value? {
    if Value._packing == .lazy { return lazyValue(type) }
    if location == 0 { return unsafeDowncast(storage, to: Cell<Value>.self).load() }
    // The row is the storage's, which is not to end before the value is read.
    return withExtendedLifetime(storage) { row.load(type, column) }
  }

  /// The cell that a change goes to. A row stays as it was fetched; what is changed gets a cell
  /// beside it.
  @inlinable
  package func cellForChange<Value: Magical & Sendable>(_ type: Value.Type) -> Cell<Value> {
    if location == 0 { return unsafeDowncast(storage, to: Cell<Value>.self) }
    return withExtendedLifetime(storage) { row.cellForChange(type, column) }
  }
}

extension PropertyReference {
  /// The cell that holds the value, where it lies in one.
  package func existingCell(_ packing: MagicalPacking) -> AnyCell? {
    if isCell { return unsafeDowncast(storage, to: AnyCell.self) }
    return withExtendedLifetime(storage) { row.existingCell(packing, column) }
  }

  /// Whether the value must be written to the row of `first`, the object's first property.
  package func isChanged(_ packing: MagicalPacking, since first: PropertyReference) -> Bool {
    if let cell = existingCell(packing) { return cell.withLock { cell.isChanged } }
    // A wrapper that was put here from another row differs from this one.
    return storage !== first.storage || row != first.row
  }
}

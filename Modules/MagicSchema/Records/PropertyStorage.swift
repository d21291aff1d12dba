public import MagicRuntime
public import Magical

/// What a property's value lies in: a ``Cell`` of its own, or a row of a ``RowChunk``.
@usableFromInline
package class PropertyStorage: Locked {
  @usableFromInline package override init() { super.init() }
}

/// A property's place: its storage, and where in it.
///
/// It is all that a property wrapper holds. Copies of an object hold the same references, which is
/// how they share state.
@frozen @usableFromInline
package struct PropertyReference: @unchecked Sendable {
  @usableFromInline package let storage: PropertyStorage

  /// Zero for a cell. Else the top bit is set, the low sixteen bits are the column and what lies
  /// between is the row's offset in the chunk.
  @usableFromInline package let location: UInt

  @inlinable package init(cell: AnyCell) {
    storage = cell
    location = 0
  }

  package init(storage: PropertyStorage, location: UInt) {
    self.storage = storage
    self.location = location
  }

  @inlinable package static func location(row: Int, column: Int) -> UInt {
    ~(UInt.max >> 1) | UInt(bitPattern: row) << 16 | UInt(bitPattern: column)
  }

  @inlinable package static func row(_ location: UInt) -> Int {
    Int(bitPattern: (location & UInt.max >> 1) >> 16)
  }

  @inlinable package static func column(_ location: UInt) -> Int {
    Int(bitPattern: location & 0xFFFF)
  }

  @inlinable package var isCell: Bool { location == 0 }
}

extension PropertyReference {
  /// The value; nil where it is NULL or was never set.
  @inlinable
  package func load<Value: Magical & Sendable>(_ type: Value.Type) -> Value? {
    if location == 0 { return unsafeDowncast(storage, to: Cell<Value>.self).load() }
    return unsafeDowncast(storage, to: RowChunk.self).load(type, at: location)
  }

  /// The cell that a change goes to. A row of a chunk stays as it was fetched; what is changed
  /// gets a cell beside it.
  @inlinable
  package func cellForChange<Value: Magical & Sendable>(_ type: Value.Type) -> Cell<Value> {
    if location == 0 { return unsafeDowncast(storage, to: Cell<Value>.self) }
    return unsafeDowncast(storage, to: RowChunk.self).cellForChange(type, at: location)
  }
}

extension PropertyReference {
  /// The cell that holds the value, where it lies in one.
  package func existingCell(_ packing: MagicalPacking) -> AnyCell? {
    if isCell { return unsafeDowncast(storage, to: AnyCell.self) }
    return unsafeDowncast(storage, to: RowChunk.self).existingCell(packing, at: location)
  }

  /// Whether the value must be written to the row of `first`, the object's first property.
  package func isChanged(_ packing: MagicalPacking, since first: PropertyReference) -> Bool {
    if let cell = existingCell(packing) { return cell.withLock { cell.isChanged } }
    // A wrapper that was put here from another row differs from this one.
    return storage !== first.storage
      || PropertyReference.row(location) != PropertyReference.row(first.location)
  }
}

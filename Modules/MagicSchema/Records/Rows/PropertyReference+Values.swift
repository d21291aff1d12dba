import MagicRuntime
public import Magical

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

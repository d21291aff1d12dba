import MagicRuntime
public import Magical

extension PropertyReference {
  /// The value; nil where it is NULL or was never set.
  @inlinable
  package func load<Value: Magical & Sendable>(_ type: Value.Type) -> Value? {
    if Value._packing == .lazy { return lazyValue(type) }
    if location == 0 { return unsafeDowncast(storage, to: PropertyBox<Value>.self).load() }
    // The row is the storage's, which is not to end before the value is read.
    return withExtendedLifetime(storage) { row.load(type, column) }
  }

  /// The box that a change goes to. A row stays as it was fetched; what is changed gets a box
  /// beside it.
  @inlinable
  package func boxForChange<Value: Magical & Sendable>(_ type: Value.Type) -> PropertyBox<Value> {
    if location == 0 { return unsafeDowncast(storage, to: PropertyBox<Value>.self) }
    return withExtendedLifetime(storage) { row.boxForChange(type, column) }
  }
}

extension PropertyReference {
  /// The box that holds the value, where it lies in one.
  package func existingBox(_ packing: _MagicalPacking) -> AnyPropertyBox? {
    if isBox { return unsafeDowncast(storage, to: AnyPropertyBox.self) }
    return withExtendedLifetime(storage) { row.existingBox(packing, column) }
  }

  /// Whether the value must be written to the row of `first`, the object's first property.
  package func isChanged(_ packing: _MagicalPacking, since first: PropertyReference) -> Bool {
    if let box = existingBox(packing) { return box.withLock { box.isChanged } }
    // A wrapper that was put here from another row differs from this one.
    return storage !== first.storage || row != first.row
  }
}

extension PropertyReference {
  /// Gives a new object its primary value once, the first time it is asked for; nil where the type has no
  /// default.
  @usableFromInline
  package func assignDefaultPrimary<Value: MagicalPrimaryValue>(_ type: Value.Type) -> Value? {
    let box = boxForChange(Value.self)
    return box.withLock {
      if box.value == nil { box.value = Value.makePrimaryValue() }
      return box.value
    }
  }
}

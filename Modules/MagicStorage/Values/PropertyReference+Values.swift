import MagicRuntime
public import Magical

extension PropertyReference {
  /// Returns the value; nil if it is NULL or was never set.
  ///
  /// It is not inlined, so that the compiler inlines more important functions in loops that read many
  /// properties.
  @inlinable @inline(never)
  package func load<Value: Magical & Sendable>(_ type: Value.Type) -> Value? { loadInline(type) }

  /// The same, for functions that are not inlined themselves.
  @inlinable @inline(__always)
  package func loadInline<Value: Magical & Sendable>(_ type: Value.Type) -> Value? {
    if Value._packing == .lazy { return lazyValue(type) }
    if location == 0 { return unsafeDowncast(storage, to: PropertyBox<Value>.self).load() }
    // The storage owns the row and must not be released before the value is read. Without a closure,
    // because it would be a function of its own.
    defer { withExtendedLifetime(storage) {} }
    return row.load(type, column)
  }

  /// Returns the value that a save writes, for a property that is neither a relationship nor lazy.
  ///
  /// - Parameter marking: is called with the box of the property, if there is one, while its lock is
  ///   held. So a change by another task is either in the value or made after the call.
  @inlinable
  package func load<Value: Magical & Sendable>(
    _ type: Value.Type, marking: (AnyPropertyBox) -> Void
  ) -> Value? {
    guard let present = existingBox(Value._packing) else {
      defer { withExtendedLifetime(storage) {} }
      return row.loadFetched(type, column)
    }
    return unsafeDowncast(present, to: PropertyBox<Value>.self).load(marking: marking)
  }

  /// Returns the box whose value an assignment changes. A fetched row is immutable; a changed
  /// property has a box in addition to it.
  @inlinable
  package func boxForChange<Value: Magical & Sendable>(_ type: Value.Type) -> PropertyBox<Value> {
    if location == 0 { return unsafeDowncast(storage, to: PropertyBox<Value>.self) }
    return withExtendedLifetime(storage) { row.boxForChange(type, column) }
  }
}

extension PropertyReference {
  /// Returns the box of the property, if it has one.
  @usableFromInline
  package func existingBox(_ packing: _MagicalPacking) -> AnyPropertyBox? {
    if isBox { return unsafeDowncast(storage, to: AnyPropertyBox.self) }
    return withExtendedLifetime(storage) { row.existingBox(packing, column) }
  }

  /// Whether the value was set, or was assigned from an object whose first property is not `first`.
  package func isChanged(_ packing: _MagicalPacking, since first: PropertyReference) -> Bool {
    withUnsafePointer(to: self) { property in
      withUnsafePointer(to: first) { property.isChanged(packing, since: $0) }
    }
  }
}

extension PropertyReference {
  /// Creates the default primary value of a new object when the property is first read, and returns
  /// the value; nil if the type has no default value.
  @usableFromInline
  package func assignDefaultPrimary<Value: MagicalPrimaryValue>(_ type: Value.Type) -> Value? {
    let box = boxForChange(Value.self)
    return box.withLock {
      if box.value == nil { box.value = Value.makePrimaryValue() }
      return box.value
    }
  }
}

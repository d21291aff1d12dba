import MagicRuntime
public import MagicSchema
import Magical

/// The state of one property: `object.$name`. Nothing is read from a database.
extension MagicField {
  /// Whether the property of a saved object was set since the object was last fetched or saved.
  ///
  /// Use it for saved objects: a property does not know whether its object was removed, or whether
  /// its first save was rolled back. ``MagicObject/changedProperties`` is right for them too. The
  /// result is false for a property of another object, such as `object.$owner.$name`. An inverse
  /// relationship has changed if it has edits that are not saved.
  public var hasChanged: Bool {
    guard path == nil else { return false }
    if let reverse = reference.reverseBox { return reverse.hasEdits }
    if reference.lazyPropertyBox != nil {
      return reference.lazyOwner() == nil || reference.isLazyValueChanged
    }
    guard !reference.isBox else {
      guard isStored, let box = reference.storage as? AnyPropertyBox else { return false }
      return box.withLock { box.isChanged }
    }
    return withExtendedLifetime(reference.storage) {
      let (row, slot) = (reference.row, reference.column)
      let schema = row.chunk.schema
      guard schema.storedSlots.contains(slot) else { return false }
      return reference.isChanged(schema, slot, since: row.property(0))
    }
  }

  /// Whether the property has a value: reading it does not end the process.
  ///
  /// The result is always true for an optional property, whose value may be nil, and for an inverse
  /// relationship. It is false for a primary value that was not created or assigned yet, although
  /// reading the property creates it. A lazy property has a value if one was set, or if the object
  /// is saved. The result is false for a relationship that the query of the object excludes, until it
  /// is loaded or set, and for a property of another object, such as `object.$owner.$name`.
  public var isSet: Bool {
    guard path == nil else { return false }
    guard isStored else { return true }
    if Value.self is any OptionalValue.Type { return !reference.isExcluded(.link) }
    if Value.self is any LazyValue.Type { return reference.hasLazyValue }
    guard let type = Value.self as? any (Magical & Sendable).Type else { return true }
    return reference.hasValue(type)
  }

  /// Whether the value is stored: the property is no inverse relationship.
  private var isStored: Bool {
    guard reference.isBox else {
      return withExtendedLifetime(reference.storage) {
        reference.row.chunk.schema.storedSlots.contains(reference.column)
      }
    }
    return !(reference.storage is ReversePropertyBox)
  }
}

extension PropertyReference {
  fileprivate func hasValue<Value: Magical & Sendable>(_ type: Value.Type) -> Bool {
    load(Value.self) != nil
  }

  fileprivate var hasLazyValue: Bool {
    switch LazyReference.place(self).resolved() {
    case .null: false
    case .row(let place): place.lazyOwner() != nil
    case .box: true
    }
  }
}

/// An optional of any type.
private protocol OptionalValue {}

extension Optional: OptionalValue {}

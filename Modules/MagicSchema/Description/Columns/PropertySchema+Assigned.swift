import MagicRuntime

extension PropertySchema {
  /// Whether the program has given a property of a new object a value: it has set the property, or
  /// the memberwise initializer has set one that has no default value.
  package func isAssigned(_ property: PropertyReference) -> Bool {
    // A wrapper that was assigned from a fetched object.
    guard property.isBox, let box = property.storage as? AnyPropertyBox else { return true }
    if box.withLock({ box[AnyPropertyBox.Flag.isAssigned] }) { return true }
    if let lazy = box as? LazyPropertyBox { return lazy.withLock { lazy.isSet } }
    let declared = template.storage as? AnyPropertyBox
    return box.origin == nil && declared?.origin != nil
  }
}

import MagicRuntime
import MagicSchema

extension PropertyReference {
  /// Whether the property was set since its object was last fetched or saved.
  ///
  /// - Parameter first: the first property of the object.
  func isChanged(_ schema: ObjectSchema, _ slot: Int, since first: PropertyReference) -> Bool {
    if schema.stored(at: slot).isLazy { return isLazyValueChanged }
    guard slot < schema.columns.count else {
      return schema.collections[slot - schema.columns.count].isChanged(self)
    }
    return schema.columns[slot].isChanged(self, since: first)
  }

  /// Whether a lazy property was set since its object was last fetched or saved.
  var isLazyValueChanged: Bool {
    let box = lazyPropertyBox
    switch LazyReference.place(self).resolved() {
    case .null: return box.map { box in box.withLock { box.isChanged } } ?? false
    // The value belongs to this property, or to that of another object.
    case .row(let place): return place.storage !== storage || place.location != location
    case .box(let content, _): return !(box?.isBeingSaved(content) ?? false)
    }
  }
}

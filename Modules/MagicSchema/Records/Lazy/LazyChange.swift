/// A change in place of a lazy property, whose value is a way to its content. It is read, changed and
/// set.
final class LazyChange<Value: Sendable>: DetachedChange<Value> {
  private let property: PropertyReference

  init(of property: PropertyReference) {
    self.property = property
    super.init(property.lazyValue(Value.self), hasTaken: false)
  }

  override func end() { property.setLazy(place.pointee) }
}

extension PropertyReference {
  @usableFromInline
  func lazyChange<Value>(_ type: Value.Type) -> DetachedChange<Value> { LazyChange(of: self) }
}

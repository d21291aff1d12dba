/// An in-place change of a lazy property. The value of the property is a reference to the content.
/// The change reads the reference at the start and sets it at the end.
final class LazyChange<Value: Sendable>: DetachedChange<Value> {
  private let property: PropertyReference

  init(of property: PropertyReference) {
    self.property = property
    super.init(property.lazyValue(Value.self), hasMovedValue: false)
  }

  override func end() { property.setLazy(place.pointee) }
}

extension PropertyReference {
  @usableFromInline
  func lazyChange<Value>(_ type: Value.Type) -> DetachedChange<Value> { LazyChange(of: self) }
}

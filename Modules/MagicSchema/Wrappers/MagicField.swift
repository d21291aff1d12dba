/// A property as such, apart from its value: what a key path like `\Person.$name` leads to.
@frozen
public struct MagicField<Value>: Sendable {
  @usableFromInline package let reference: PropertyReference

  @inlinable
  package init(reference: PropertyReference) {
    self.reference = reference
  }
}

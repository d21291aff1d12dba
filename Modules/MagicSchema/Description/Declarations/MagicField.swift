/// A property as such, apart from its value: what a key path like `\Person.$name` refers to.
@frozen
@dynamicMemberLookup
public struct MagicField<Value>: Sendable {
  @usableFromInline package let reference: PropertyReference
  /// The to-ones on the way to the property; nil for a property of the object itself.
  @usableFromInline package let path: FieldPath?

  @inlinable
  package init(reference: PropertyReference) {
    self.reference = reference
    path = nil
  }

  package init(reference: PropertyReference, path: FieldPath) {
    self.reference = reference
    self.path = path
  }
}

/// A to-one on the way to a property, and those before it.
@usableFromInline
package final class FieldPath: Sendable {
  package let toOne: PropertyReference
  package let before: FieldPath?

  init(_ toOne: PropertyReference, before: FieldPath?) {
    self.toOne = toOne
    self.before = before
  }
}

extension MagicField {
  /// The property; nil where it lies across a to-one.
  package var ownReference: PropertyReference? { path == nil ? reference : nil }
}

/// A reference to a property, not to its value: the result of a key path like `\Person.$name`.
@frozen
@dynamicMemberLookup
public struct MagicField<Value>: Sendable {
  @usableFromInline package let reference: PropertyReference
  /// The to-ones that the key path passes through; nil for a property of the object itself.
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

/// A linked list of the to-ones that a key path passes through: the last one, and those before it.
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
  /// The property; nil if the key path passes through a to-one.
  package var ownReference: PropertyReference? { path == nil ? reference : nil }
}

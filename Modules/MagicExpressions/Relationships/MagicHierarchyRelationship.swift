public import MagicRelations
public import MagicSchema

/// A relationship of a type to itself: an optional to-one relationship, a collection or an inverse
/// relationship. Queries follow it with `descendants` and `ancestors`.
public protocol MagicHierarchyRelationship {
  /// The type of the objects.
  associatedtype Node: MagicObject
}

extension Optional: MagicHierarchyRelationship where Wrapped: MagicObject {
  /// The type of the objects.
  public typealias Node = Wrapped
}

extension Array: MagicHierarchyRelationship where Element: MagicObject {
  /// The type of the objects.
  public typealias Node = Element
}

extension Dictionary: MagicHierarchyRelationship where Value: MagicObject {
  /// The type of the objects.
  public typealias Node = Value
}

extension MagicalSet: MagicHierarchyRelationship {
  /// The type of the objects.
  public typealias Node = Element
}

extension AsyncReverseMagicSet: MagicHierarchyRelationship {
  /// The type of the objects.
  public typealias Node = Element
}

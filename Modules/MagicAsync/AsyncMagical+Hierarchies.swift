public import MagicQuery

/// A lazy relationship of a type to itself, which queries follow with `descendants` and `ancestors`.
extension AsyncMagical: MagicHierarchyRelationship where Content: MagicHierarchyRelationship {
  /// The type of the objects.
  public typealias Node = Content.Node
}

public import MagicSchema

/// A part of the objects of a query, in its order.
public struct MagicPage<Model: MagicObject>: Sendable {
  /// The objects, with all objects that they refer to.
  public let objects: [Model]
  /// The place after the last object; nil if no object follows.
  public let next: MagicCursor?
  /// The place before the first object; nil if the page begins with the first object of the query.
  /// The page before it is empty if all objects before this page were deleted meanwhile.
  public let previous: MagicCursor?
}

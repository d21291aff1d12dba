import MagicEngine
public import MagicExpressions
public import MagicQuery
import MagicSchema

/// Objects below or above other objects, by an optional lazy to-one relationship that names the parent
/// of an object, such as `@OptionMagicValue var manager: AsyncMagical<Colleague>?`.
extension MagicQuery {
  /// Returns the query restricted to the objects below an object. The same rules apply as for a to-one
  /// relationship that is loaded with its object.
  public func descendants(
    of object: Model, by parent: MagicPath<Model, AsyncMagical<Model>?>,
    maximumDepth: Int? = nil, includingStart: Bool = false
  ) -> Self {
    following(
      QueryExpression(parent), to: .descendants, from: { $0.is(object) }, maximumDepth,
      includingStart)
  }

  /// Returns the query restricted to the objects below some objects.
  public func descendants(
    of objects: some Sequence<Model>, by parent: MagicPath<Model, AsyncMagical<Model>?>,
    maximumDepth: Int? = nil, includingStart: Bool = false
  ) -> Self {
    following(
      QueryExpression(parent), to: .descendants, from: { $0.isOne(of: objects) }, maximumDepth,
      includingStart)
  }

  /// Returns the query restricted to the objects below those for which the predicate is true.
  public func descendants(
    by parent: MagicPath<Model, AsyncMagical<Model>?>, maximumDepth: Int? = nil,
    includingStart: Bool = false, ofAll start: (MagicRow<Model>) -> MagicPredicate<Model>
  ) -> Self {
    following(QueryExpression(parent), to: .descendants, from: start, maximumDepth, includingStart)
  }

  /// Returns the query restricted to the objects above an object. The same rules apply as for a to-one
  /// relationship that is loaded with its object.
  public func ancestors(
    of object: Model, by parent: MagicPath<Model, AsyncMagical<Model>?>,
    maximumDepth: Int? = nil, includingStart: Bool = false
  ) -> Self {
    following(
      QueryExpression(parent), to: .ancestors, from: { $0.is(object) }, maximumDepth,
      includingStart)
  }

  /// Returns the query restricted to the objects above some objects.
  public func ancestors(
    of objects: some Sequence<Model>, by parent: MagicPath<Model, AsyncMagical<Model>?>,
    maximumDepth: Int? = nil, includingStart: Bool = false
  ) -> Self {
    following(
      QueryExpression(parent), to: .ancestors, from: { $0.isOne(of: objects) }, maximumDepth,
      includingStart)
  }

  /// Returns the query restricted to the objects above those for which the predicate is true.
  public func ancestors(
    by parent: MagicPath<Model, AsyncMagical<Model>?>, maximumDepth: Int? = nil,
    includingStart: Bool = false, ofAll start: (MagicRow<Model>) -> MagicPredicate<Model>
  ) -> Self {
    following(QueryExpression(parent), to: .ancestors, from: start, maximumDepth, includingStart)
  }
}

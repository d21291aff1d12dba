import MagicEngine
public import MagicExpressions
import MagicSchema

/// Objects below or above other objects in a hierarchy, or in any graph.
///
/// ```swift
/// // All that work for the boss, directly or not, the closest first.
/// let team = try await magic.query(Colleague.self)
///   .descendants(of: boss, by: \.$reports)
///   .order { $0.depth }
///   .all()
/// ```
///
/// A collection, or an inverse relationship, names the children of an object. An optional to-one
/// relationship names its parent. So `by: \.$reports` and `by: \.$manager` find the same objects if
/// they are two sides of one relationship.
///
/// One statement finds the objects, at any depth. Each is found once, also if there are several
/// ways to it or a cycle. `depth` of a row is the length of the shortest way. The time grows with the
/// number of the objects that are found and of their links, also if a condition or a limit leaves some
/// of them out.
extension MagicQuery {
  /// Returns the query restricted to the objects below an object.
  ///
  /// - Parameters:
  ///   - object: the object at the start. If it is not saved, the query throws `.notSaved` when it
  ///     runs.
  ///   - relationship: the children or the parent of each object.
  ///   - maximumDepth: the largest number of steps; 1 finds the direct descendants. Default: no limit.
  ///   - includingStart: whether the object at the start is found, too. Default: false.
  public func descendants<Relationship: MagicHierarchyRelationship>(
    of object: Model, by relationship: MagicPath<Model, Relationship>, maximumDepth: Int? = nil,
    includingStart: Bool = false
  ) -> Self where Relationship.Node == Model {
    following(
      QueryExpression(relationship), to: .descendants, from: { $0.is(object) }, maximumDepth,
      includingStart)
  }

  /// Returns the query restricted to the objects below some objects, none of which is found itself
  /// unless `includingStart` is true. The same rules apply as for one object.
  public func descendants<Relationship: MagicHierarchyRelationship>(
    of objects: some Sequence<Model>, by relationship: MagicPath<Model, Relationship>,
    maximumDepth: Int? = nil, includingStart: Bool = false
  ) -> Self where Relationship.Node == Model {
    following(
      QueryExpression(relationship), to: .descendants, from: { $0.isOne(of: objects) },
      maximumDepth,
      includingStart)
  }

  /// Returns the query restricted to the objects below those for which the predicate is true. The
  /// same rules apply as for one object.
  public func descendants<Relationship: MagicHierarchyRelationship>(
    by relationship: MagicPath<Model, Relationship>, maximumDepth: Int? = nil,
    includingStart: Bool = false, ofAll start: (MagicRow<Model>) -> MagicPredicate<Model>
  ) -> Self where Relationship.Node == Model {
    following(
      QueryExpression(relationship), to: .descendants, from: start, maximumDepth,
      includingStart)
  }

  /// Returns the query restricted to the objects above an object: its parents, their parents and so
  /// on.
  ///
  /// - Parameters:
  ///   - object: the object at the start. If it is not saved, the query throws `.notSaved` when it
  ///     runs.
  ///   - relationship: the children or the parent of each object.
  ///   - maximumDepth: the largest number of steps; 1 finds the direct ancestors. Default: no limit.
  ///   - includingStart: whether the object at the start is found, too. Default: false.
  public func ancestors<Relationship: MagicHierarchyRelationship>(
    of object: Model, by relationship: MagicPath<Model, Relationship>, maximumDepth: Int? = nil,
    includingStart: Bool = false
  ) -> Self where Relationship.Node == Model {
    following(
      QueryExpression(relationship), to: .ancestors, from: { $0.is(object) }, maximumDepth,
      includingStart)
  }

  /// Returns the query restricted to the objects above some objects, none of which is found itself
  /// unless `includingStart` is true. The same rules apply as for one object.
  public func ancestors<Relationship: MagicHierarchyRelationship>(
    of objects: some Sequence<Model>, by relationship: MagicPath<Model, Relationship>,
    maximumDepth: Int? = nil, includingStart: Bool = false
  ) -> Self where Relationship.Node == Model {
    following(
      QueryExpression(relationship), to: .ancestors, from: { $0.isOne(of: objects) }, maximumDepth,
      includingStart)
  }

  /// Returns the query restricted to the objects above those for which the predicate is true. The
  /// same rules apply as for one object.
  public func ancestors<Relationship: MagicHierarchyRelationship>(
    by relationship: MagicPath<Model, Relationship>, maximumDepth: Int? = nil,
    includingStart: Bool = false, ofAll start: (MagicRow<Model>) -> MagicPredicate<Model>
  ) -> Self where Relationship.Node == Model {
    following(
      QueryExpression(relationship), to: .ancestors, from: start, maximumDepth,
      includingStart)
  }

  /// Returns the query restricted to the objects that a relationship reaches.
  package func following(
    _ relationship: QueryExpression, to direction: HierarchyDirection,
    from start: (MagicRow<Model>) -> MagicPredicate<Model>, _ maximumDepth: Int?,
    _ includesStart: Bool
  ) -> Self {
    with { plan in
      do {
        let path = try relationship.hierarchyPath
        // A column names the parent, and a collection the children.
        let namesParent = try ObjectSchema.of(Model.self).columns.indices.contains(path.property)
        let scope = RowScopeID.newMember()
        plan.follow(
          Traversal(
            along: path, isReversed: namesParent == (direction == .descendants),
            from: start(MagicRow(scope: scope)).untyped, scope: scope, includesStart: includesStart,
            maximumDepth: maximumDepth))
      } catch {
        plan.error = plan.error ?? QueryExpression(error).error
      }
    }
  }
}

/// The direction in which a query follows a relationship of a type to itself.
package enum HierarchyDirection: Sendable {
  case descendants, ancestors
}

extension MagicRow {
  /// Whether the row is that of an object.
  package func `is`(_ object: Model) -> MagicPredicate<Model> {
    MagicPredicate(.comparison(.equal, zIndex.untyped, QueryExpression(.object(object))))
  }

  /// Whether the row is that of one of some objects.
  package func isOne(of objects: some Sequence<Model>) -> MagicPredicate<Model> {
    MagicPredicate(.inList(zIndex.untyped, objects.map { .object($0) }))
  }
}

extension QueryExpression {
  /// The path of a relationship of a type to itself.
  fileprivate var hierarchyPath: ColumnPath {
    get throws {
      if let error { throw error }
      guard case .column(let path) = tree else { throw MagicError.malformedQuery }
      guard path.toOnes.isEmpty else {
        throw MagicError(
          .invalidQuery,
          "Descendants and ancestors are found by one relationship of the type, not by a path of "
            + "several.")
      }
      return path
    }
  }
}

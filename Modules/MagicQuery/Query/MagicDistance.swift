import MagicEngine
public import MagicExpressions
public import MagicSchema
public import Magical

/// The distance of a property of rows to a vector, as an order of a query.
///
/// ```swift
/// let nearest = try await magic.query(Passage.self)
///   .order(nearest: .distance(\.$embedding, to: vector, .cosine))
///   .limit(10)
///   .all()
/// ```
public struct MagicDistance<Model: MagicObject>: Sendable {
  package let expression: QueryExpression

  /// The distance of a vector, or of an optional vector, to another one.
  ///
  /// Rows whose vector is nil, or has another number of elements, have an infinite distance. See
  /// `distance(to:_:)` of an expression.
  ///
  /// - Parameter metric: the kind of distance. Default: `.euclidean`, as in other databases.
  public static func distance<Value: MagicVectorValue>(
    _ path: MagicPath<Model, Value>, to vector: MagicVector,
    _ metric: MagicVectorMetric = .euclidean
  ) -> MagicDistance {
    MagicDistance(expression: .distance(of: QueryExpression(path), to: vector, metric))
  }
}

extension MagicQuery {
  /// Returns the query ordered by a distance, the nearest rows first. Orders that were added before
  /// have priority. With a limit of k rows, the database keeps k rows while it reads.
  ///
  /// - Complexity: the database reads the vector of each row: no index is used.
  public func order(nearest distance: MagicDistance<Model>) -> Self {
    with { $0.order(by: distance.expression, isDescending: false) }
  }
}

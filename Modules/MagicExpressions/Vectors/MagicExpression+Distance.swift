import MagicEngine
public import Magical
import MagicSchema

/// A vector, or an optional vector.
public protocol MagicVectorValue: Sendable {}

extension MagicVector: MagicVectorValue {}
extension Optional: MagicVectorValue where Wrapped: MagicVectorValue {}

extension MagicExpression where Value: MagicVectorValue {
  /// Returns the distance to a vector.
  ///
  /// ```swift
  /// let near = try await magic.query(Passage.self)
  ///   .where { $0.$embedding.distance(to: vector, .cosine) < 0.4 }
  ///   .all()
  /// ```
  ///
  /// The distance is exact but for the rounding of `Float`, in which the sums are computed: the last
  /// digits may differ between processors. Sums that are outside of the range of `Float` are computed as
  /// `Double`. The distance is infinite for nil, and if the numbers of elements differ, so that such rows
  /// come last. The query throws `.invalidQuery` if the given vector has no
  /// elements, and `.cannotEncode` if it contains NaN. PostgreSQL computes the sums as `Double`.
  ///
  /// - Parameter metric: the kind of distance. Default: `.euclidean`, as in other databases.
  /// - Complexity: the database reads the vector of each row: no index is used.
  public func distance(
    to vector: MagicVector, _ metric: MagicVectorMetric = .euclidean
  ) -> MagicExpression<Model, Double> {
    MagicExpression<Model, Double>(.distance(of: untyped, to: vector, metric))
  }
}

extension QueryExpression {
  /// Returns the distance of a property to a vector.
  package static func distance(
    of property: QueryExpression, to vector: MagicVector, _ metric: MagicVectorMetric
  ) -> QueryExpression {
    guard vector.count > 0 else {
      return QueryExpression(
        MagicError(
          .invalidQuery,
          "The vector of a distance is empty. It needs as many numbers as the rows' vectors."
        ))
    }
    return .function(.distance(metric.stored), property, QueryExpression(value: vector))
  }
}

import MagicEngine
public import MagicQuery
import Magical
public import MagicSchema

extension MagicQuery where Source == MagicUnbound {
  /// Returns the median of a property over all rows; nil if there are no values.
  public func median<Outer: MagicObject, Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Outer, Double?> { percentile(0.5, path) }

  /// Returns the number below which a part of the values of a property is; nil if there are no values.
  ///
  /// - Parameter fraction: the part, from 0 to 1. For another number the query throws
  ///   `.invalidQuery`.
  public func percentile<Outer: MagicObject, Value: MagicalNumeric>(
    _ fraction: Double, _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Outer, Double?> {
    MagicExpression<Outer, Double?>(
      .percentileError(fraction)
        ?? plan.subquery(
          .percentile(fraction), of: Model.self, selection: QueryExpression(path)))
  }
}

import MagicEngine
public import MagicQuery
import Magical
import MagicSchema

/// Medians and percentiles.
///
/// ```swift
/// let prices = try await magic.query(Item.self)
///   .grouped(by: \.$category)
///   .select { ($0.median(\.$price), $0.percentile(0.9, \.$price)) }
///   .all()
/// ```
///
/// Nil is left out. The database computes with `Double`, and interpolates between two values, as
/// `percentile_cont` does in SQL. It sorts the values of each group in memory.
extension MagicGroup {
  /// Returns the median of a property: the value in the middle, or the mean of the two values in the
  /// middle; nil if all values are nil.
  public func median<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Double?> { percentile(0.5, QueryExpression(path)) }

  /// Returns the median of an expression; nil if all values are nil.
  public func median<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Model, Double?> {
    percentile(0.5, expression(MagicRow(scope: .root)).untyped)
  }

  /// Returns the number below which a part of the values of a property is; nil if all values are nil.
  ///
  /// - Parameter fraction: the part, from 0 to 1. For another number the query throws
  ///   `.invalidQuery`.
  public func percentile<Value: MagicalNumeric>(
    _ fraction: Double, _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Double?> { percentile(fraction, QueryExpression(path)) }

  /// Returns the number below which a part of the values of an expression is; nil if all values are
  /// nil.
  public func percentile<Value: MagicalNumeric>(
    _ fraction: Double, _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Model, Double?> {
    percentile(fraction, expression(MagicRow(scope: .root)).untyped)
  }

  private func percentile(
    _ fraction: Double, _ operand: QueryExpression
  ) -> MagicExpression<Model, Double?> {
    MagicExpression<Model, Double?>(
      .percentileError(fraction) ?? .aggregate(.percentile(fraction), of: operand))
  }
}

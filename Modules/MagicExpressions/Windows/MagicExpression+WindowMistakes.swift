import MagicEngine
import MagicSchema

// Declarations that only make the compiler's errors for mistakes name the mistake. Using one of
// them is an error.

extension MagicExpression {
  /// Reports a sum of values that are not numbers.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "only numbers have a sum; use rank, count, min or max")
  @_disfavoredOverload
  public func sum(over window: MagicWindow<Model>) -> MagicExpression<Model, Int> {
    MagicExpression<Model, Int>(QueryExpression(tree: .null))
  }

  /// Reports an average of values that are not numbers.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "only numbers have an average; use rank, count, min or max")
  @_disfavoredOverload
  public func average(over window: MagicWindow<Model>) -> MagicExpression<Model, Double?> {
    MagicExpression<Model, Double?>(QueryExpression(tree: .null))
  }
}

package import Magical
package import MagicSchema
import MagicStore

extension MagicQuery {
  /// Of the rows the one with a z-index.
  package func row(_ zIndex: ZIndex) -> Self {
    row { _ in (-1, ExpressionCode(value: zIndex)) }
  }

  /// Of the rows the one with a primary value.
  package func row(primary: some MagicalPrimaryValue) -> Self {
    row { schema in
      try schema.checkPrimary(Swift.type(of: primary))
      return (schema.primary ?? -1, ExpressionCode(value: primary))
    }
  }

  /// Of the rows the one that an object is when the query runs.
  package func row(of object: Model) -> Self {
    row { _ in (-1, ExpressionCode(value: object)) }
  }

  /// - Parameter key: a column of the type, or -1 for the z-index, and its value.
  private func row(where key: (ObjectSchema) throws -> (column: Int, value: ExpressionCode)) -> Self {
    do {
      let schema = try ObjectSchema.of(Model.self)
      let (place, value) = try key(schema)
      let column = ExpressionCode(
        words: [Operation.column.rawValue, Scope.root, schema.ordinal, 1, place])
      return with { $0.restrict(to: ExpressionCode(.equal, [column, value])) }
    } catch {
      return with { $0.restrict(to: ExpressionCode(error)) }
    }
  }
}

import MagicEngine
import MagicSchema

extension MagicRow {
  /// The number of steps from an object at the start of `descendants` or `ancestors` to this object:
  /// 1 for a direct descendant. The smallest number if there are several ways.
  ///
  /// ```swift
  /// let team = try await magic.query(Colleague.self)
  ///   .descendants(of: boss, by: \.$reports)
  ///   .order { $0.depth }
  ///   .all()
  /// ```
  ///
  /// A query without `descendants` or `ancestors` that uses it throws `.invalidQuery` when it runs.
  public var depth: MagicExpression<Model, Int> {
    do {
      let schema = try ObjectSchema.of(Model.self)
      return MagicExpression(QueryExpression(tree: .column(.depth(of: schema, in: scope))))
    } catch {
      return MagicExpression(QueryExpression(error))
    }
  }
}

import MagicEngine
import MagicSchema

/// The keys of groups as expressions.
extension MagicGroup {
  /// Returns a key of the groups: the property by which they are grouped.
  ///
  /// ```swift
  /// let ages = try await magic.query(Person.self).grouped(by: \.$age, \.$petName).select {
  ///   $0.count.sum(over: .partition(by: $0.key(\.$age)))
  /// }
  /// .all()
  /// ```
  ///
  /// If it is not a key, the query throws `.invalidQuery`.
  public func key<Value>(_ path: MagicPath<Model, Value>) -> MagicExpression<Model, Value> {
    key(QueryExpression(path))
  }

  /// Returns a key of the groups: the expression by which they are grouped.
  public func key<Value>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Model, Value> {
    key(expression(MagicRow(scope: .root)).untyped)
  }

  private func key<Value>(_ key: QueryExpression) -> MagicExpression<Model, Value> {
    guard key.error == nil else { return MagicExpression<Model, Value>(key) }
    guard let index = keys.firstIndex(where: { $0.isEqual(to: key) }) else {
      return MagicWindow<Model>.refused(
        "The query is not grouped by this expression. Use one of its keys.")
    }
    return MagicExpression<Model, Value>(
      keys[index].isSelected ? QueryExpression(tree: .selected(index)) : keys[index])
  }
}

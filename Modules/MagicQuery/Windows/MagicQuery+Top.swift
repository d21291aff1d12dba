import MagicEngine
import MagicSchema

extension MagicQuery {
  /// Returns the query restricted to the first rows of each partition of a window.
  ///
  /// ```swift
  /// // The two oldest people with each pet name.
  /// let oldest = try await magic.query(Person.self)
  ///   .top(2) { .partition(by: $0.$petName).order(by: $0.$age, .descending) }
  ///   .all()
  /// ```
  ///
  /// The conditions that were added before determine the rows of the window; conditions that are
  /// added later restrict the result. Limit and offset apply to the result, and so do the orders of
  /// the query. Rows with equal orders are in the order of their row IDs. A negative number makes
  /// the query throw `.invalidQuery` when it runs.
  public func top(
    _ count: Int, over window: (MagicRow<Model>) -> MagicWindow<Model>
  ) -> Self {
    with { $0.restrict(toTop: count, over: window) }
  }
}

extension MagicGroups {
  /// Returns the groups restricted to the first groups of each partition of a window of groups.
  ///
  /// ```swift
  /// // The most frequent age of the people with each pet name.
  /// let frequent = try await magic.query(Person.self).grouped(by: \.$petName, \.$age)
  ///   .top(1) { .partition(by: $0.key(\.$petName)).order(by: $0.count, .descending) }
  ///   .count()
  /// ```
  ///
  /// The groups are those for which the conditions are true. A limit of the groups applies to the
  /// result. Groups with equal orders are in the order of their keys. A negative number, or a limit
  /// of the rows that are grouped, makes the query throw `.invalidQuery` when it runs. A second
  /// `top` replaces the first.
  public func top(
    _ count: Int, over window: (MagicGroup<Model>) -> MagicWindow<Model>
  ) -> Self {
    var groups = self
    let window = window(group)
    groups.plan.error = groups.plan.error ?? window.mistake ?? .negativeTop(count)
    groups.plan.topGroups = TopGroups(
      count: count, partition: window.partition, orders: window.orders)
    return groups
  }
}

extension QueryDescription {
  fileprivate mutating func restrict<Model: MagicObject>(
    toTop count: Int, over window: (MagicRow<Model>) -> MagicWindow<Model>
  ) {
    let window = window(row())
    error = error ?? window.mistake ?? .negativeTop(count)
    var rows = QueryDescription()
    (rows.rowScopes, rows.usesRoot) = (rowScopes, usesRoot)
    (rows.traversal, rows.filter, rows.orders) = (traversal, filter, window.orders)
    rows.search = search
    rows.limit = count
    let selected = MagicRow<Model>(scope: .innermost).zIndex.untyped
    let outer: MagicRow<Model> = row()
    do {
      filter = rows.subquery(
        .includes, in: try ObjectSchema.of(Model.self), selection: selected,
        operand: outer.zIndex.untyped, partition: window.partition)
    } catch {
      filter = QueryExpression(error)
    }
  }
}

extension MagicError {
  fileprivate static func negativeTop(_ count: Int) -> MagicError? {
    count < 0
      ? MagicError(.invalidQuery, "The number of rows of top(_:over:) is negative. Use 0 or more.")
      : nil
  }
}

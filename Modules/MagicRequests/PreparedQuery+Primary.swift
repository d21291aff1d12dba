import MagicSchema

extension PreparedQuery {
  /// The value, if the query is for the first object whose primary equals a value, and has no other
  /// condition; nil otherwise. It is a number, a text or bytes.
  package var primaryValue: QueryValue? {
    guard case .objects = result, plan.hasOnlyFilter, plan.limit == 1, let filter = plan.filter,
      case .comparison(.equal, let left, let right) = filter.tree, filter.values.count == 1
    else { return nil }
    switch (left, right) {
    case (.column(let path), .value), (.value, .column(let path)):
      guard path.toOnes.isEmpty, path.type == schema.ordinal, path.property == schema.primary,
        plan.isRow(path.scope)
      else { return nil }
    default: return nil
    }
    switch filter.values[0] {
    case .integer, .real, .text, .blob: return filter.values[0]
    case .null, .object, .list: return nil
    }
  }
}

extension QueryDescription {
  /// Whether the query has no clause except a filter and a limit.
  fileprivate var hasOnlyFilter: Bool {
    traversal == nil && search == nil && join == nil && orders.isEmpty && !isRandom && !isDistinct
      && offset == nil && selection.isEmpty && groups.isEmpty && having == nil && topGroups == nil
      && groupOrders.isEmpty && groupLimit == nil && combined == nil
  }

  /// Whether an identity is that of the query's row.
  fileprivate func isRow(_ scope: RowScopeID) -> Bool {
    switch scope {
    case .innermost: true
    case .root: usesRoot
    default: rowScopes?.contains(scope) ?? false
    }
  }
}

package import MagicSchema

/// A source of rows with which each row of a query is combined. The filter of the query decides which
/// combinations are rows of the result.
///
/// A class instance, because descriptions of queries are copied often, and few have it.
package final class RowJoin: Sendable {
  package enum Source: Sendable {
    /// The rows of a type.
    case rows(ObjectSchema)
    /// The elements of a JSON array, or the values of a JSON object.
    case elements(of: QueryExpression)
  }

  /// The identity of the combined row or element in expressions.
  package let scope: RowScopeID
  package let source: Source

  package init(_ source: Source, scope: RowScopeID) { (self.source, self.scope) = (source, scope) }

  /// The JSON that contains the elements; nil for rows.
  package var json: QueryExpression? {
    if case .elements(let json) = source { json } else { nil }
  }
}

extension RowJoin {
  func hash(into hasher: inout ShapeHasher) {
    switch source {
    case .rows(let schema): hasher.combine(type: schema.ordinal, ColumnPath.rowID)
    case .elements(let json):
      hasher.combine(23)
      json.tree.hash(into: &hasher)
    }
  }
}

extension ShapeComparison {
  mutating func areEqual(_ left: RowJoin?, _ right: RowJoin?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    guard areEqual(left.json?.tree, right.json?.tree) else { return false }
    if case .rows(let type) = left.source, case .rows(let other) = right.source, type !== other {
      return false
    }
    return correspond(left.scope, right.scope)
  }
}

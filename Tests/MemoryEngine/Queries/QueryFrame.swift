import MagicEngine

/// The input of an expression: the row of each open scope, from the outermost, and the rows of a
/// group.
struct QueryFrame {
  var rows: [StoredRow?]
  /// The element of JSON with which the row of the query is combined.
  var element: JoinedElement?
  var group: [QueryFrame] = []
  /// The position of the row or group among those of the result.
  var place = 0
}

extension QueryFrame {
  /// The input of an expression in a subquery.
  ///
  /// - Parameter depth: The number of the scopes that are open outside of the subquery.
  func inner(_ row: StoredRow?, at depth: Int) -> QueryFrame {
    QueryFrame(rows: rows.prefix(depth) + [row], element: element)
  }
}

/// A compiled expression.
typealias Computation = (QueryFrame) throws -> StoredValue

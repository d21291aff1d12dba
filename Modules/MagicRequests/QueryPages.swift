package import MagicSchema

/// Splits a query into pages. Each page begins after the last row of the previous page, found by
/// the values by which that row is sorted.
///
/// The rows of a traversal are found as a whole, so a page would take as long as all of them. Their row
/// IDs are read once instead: 8 bytes for each row.
package struct QueryPages: Sendable {
  private let plan: QueryDescription
  private var remaining: Int?
  private var isFirst = true
  package private(set) var isAtEnd = false
  /// The values by which the last row is sorted, followed by its row ID.
  private var last: [QueryValue] = []
  private var requestedCount = 0
  /// The row IDs that are not yet in a page; nil if they are not read.
  private var rowIDs: ArraySlice<Int64>?

  private static var size: Int { 512 }

  package init(_ plan: QueryDescription) {
    self.plan = plan
    remaining = plan.limit
  }

  /// Returns the query that selects the row IDs of all rows, if they must be read before the first page.
  package func rowIDs<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery? {
    guard plan.traversal != nil, rowIDs == nil else { return nil }
    try checkOrder()
    let schema = try ObjectSchema.of(type)
    var rows = plan.ranked(of: schema)
    let rowID = QueryExpression(tree: .column(.rowID(of: schema, in: .root)))
    rows.orders.append(QueryDescription.SortTerm(rowID, isDescending: false))
    rows.selection = [rowID]
    return try PreparedQuery(type, rows, .tuples)
  }

  package mutating func setRowIDs(_ rowIDs: [Int64]) {
    self.rowIDs = rowIDs[...]
    isAtEnd = rowIDs.isEmpty
  }

  /// Returns the query for the objects of the next page in any order, and the order of their row IDs; nil
  /// if row IDs are not read, or at the end.
  package mutating func nextRows<Model: MagicObject>(
    _ type: Model.Type
  ) throws -> (query: PreparedQuery, rowIDs: [Int64])? {
    guard let page = rowIDs?.prefix(Self.size), !page.isEmpty else { return nil }
    rowIDs?.removeFirst(page.count)
    isAtEnd = rowIDs?.isEmpty ?? true
    let rowID = QueryExpression(tree: .column(.rowID(of: try ObjectSchema.of(type), in: .root)))
    var rows = QueryDescription()
    rows.restrict(to: .inList(rowID, page.map { .integer($0) }))
    return (try PreparedQuery(type, rows, .objects), Array(page))
  }

  private func checkOrder() throws {
    guard plan.isRandom else { return }
    throw MagicError(
      .invalidQuery, "A query in random order cannot be read in pages. Use all() instead.")
  }

  /// Returns the query for the next page, or nil at the end.
  package mutating func next<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery? {
    try checkOrder()
    guard !isAtEnd else { return nil }
    let schema = try ObjectSchema.of(type)
    let rowID = QueryExpression(tree: .column(.rowID(of: schema, in: .root)))
    var page = plan.ranked(of: schema)
    page.orders.append(QueryDescription.SortTerm(rowID, isDescending: false))
    page.selection = page.orders.map(\.expression)
    if !isFirst {
      page.offset = nil
      guard last.count == page.orders.count else { return nil }
      page.restrict(toRowsAfter: last, in: schema)
    }
    requestedCount = min(remaining ?? Self.size, Self.size)
    if (plan.limit ?? 0) >= 0 { page.limit = requestedCount }
    return try PreparedQuery(type, page, .page)
  }

  /// Records the number of rows of a page, and the values by which its last row is sorted.
  package mutating func note(count: Int, last: [QueryValue]) {
    isFirst = false
    self.last = last
    remaining = remaining.map { $0 - count }
    isAtEnd = count < requestedCount || remaining == 0
  }
}

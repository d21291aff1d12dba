import MagicSchema

extension PreparedQuery {
  /// The values that an engine writes into its statement as literals, by their indexes in
  /// ``values``: those in expressions that an index contains with the same constants. The index is one
  /// of the query's type, or of a type whose rows a part of the query is about.
  /// A query planner does not find that a parameter equals a constant of an index.
  package var indexLiterals: [Int: String] {
    guard mayHaveIndexLiterals else { return [:] }
    var combined: [Int: String] = [:]
    var start = 0
    for (_, part) in plan.combined?.queries ?? [] {
      for (index, literal) in part.indexLiterals { combined[start + index] = literal }
      start += part.values.count
    }
    var search = IndexLiteralSearch(values: values)
    search.add(schema)
    if case .rows(let joined)? = plan.join?.source { search.add(joined) }
    plan.visitValues { expression in
      search.visit(expression.tree, at: start)
      start += expression.values.count
    } number: { _ in
      start += 1
    }
    return combined.merging(search.literals) { first, _ in first }
  }

  /// Whether the query may have values that are constants of an index, which is a quick check. If it
  /// is false, there are none.
  package var mayHaveIndexLiterals: Bool {
    if schema.hasComputedIndexes || shape.reachesOtherTypes { return true }
    if case .rows(let joined)? = plan.join?.source, joined.hasComputedIndexes { return true }
    return plan.combined?.queries.contains { $0.query.mayHaveIndexLiterals } ?? false
  }
}

/// Finds the values of a query that are constants of an index.
///
/// A value that is found by mistake does no harm: the literal has the value of the query.
private struct IndexLiteralSearch {
  let values: [QueryValue]
  private(set) var literals: [Int: String] = [:]
  /// The types whose rows the visited parts of the query are about, and the parts of their indexes.
  private var types: [ObjectSchema] = []
  private var parts: [IndexedExpression.Part] = []

  init(values: [QueryValue]) { self.values = values }

  mutating func add(_ type: ObjectSchema) {
    guard let facts = type.indexFacts, !types.contains(where: { $0 === type }) else { return }
    types.append(type)
    parts += facts.parts
  }

  /// - Returns: the index of the first value after those of the tree.
  @discardableResult
  mutating func visit(_ tree: ExpressionTree, at start: Int) -> Int {
    var end = start
    switch tree {
    case .column, .null, .rowCount, .selected, .element: return start
    case .value: return start + 1
    case .subquery(_, let query, let operand): return visit(query, operand, at: start)
    case .members(_, let path, let predicate):
      if predicate != nil, let type = try? path.memberType { add(type) }
      fallthrough
    default:
      for part in tree.parts { end = visit(part, at: end) }
      end += tree.ownValueCount
    }
    if !parts.isEmpty, end > start { compare(tree, start..<Swift.min(end, values.count)) }
    return end
  }

  private mutating func visit(
    _ query: Subquery, _ operand: ExpressionTree?, at start: Int
  ) -> Int {
    add(query.schema)
    var end = operand.map { visit($0, at: start) } ?? start
    if let traversal = query.traversal {
      end = visit(traversal.start, at: end)
      if traversal.isLimited { end += 1 }
    }
    for part in [query.selection, query.filter].compactMap({ $0 }) + (query.partition ?? []) {
      end = visit(part, at: end)
    }
    for order in query.orders { end = visit(order.tree, at: end) }
    return end + (query.hasLimit ? 1 : 0) + (query.hasOffset ? 1 : 0)
  }

  private mutating func compare(_ tree: ExpressionTree, _ range: Range<Int>) {
    for part in parts where part.values.count == range.count {
      var comparison = ShapeComparison(rows: .any)
      guard comparison.areEqual(part.tree, tree),
        zip(part.values, values[range]).allSatisfy({ $0.hasSameLiteral(as: $1) })
      else { continue }
      for index in range { literals[index] = values[index].literal }
    }
  }
}

extension ExpressionTree {
  /// The number of values that follow those of the parts of the expression, which is no subquery.
  fileprivate var ownValueCount: Int {
    switch self {
    case .value, .inList, .joined: 1
    case .textTest(let test, _): test == .prefixRange ? 2 : 1
    case .members(let function, _, _): function == .includes || function == .joined ? 1 : 0
    case .fragment(let fragment): fragment.statement.arguments.count
    default: 0
    }
  }

  /// The number of values of the expression; nil for an operation on other rows.
  var valueCount: Int? {
    switch self {
    case .members, .subquery, .fragment, .window, .elements: return nil
    default: break
    }
    var count = ownValueCount
    for operand in operands {
      guard let more = operand.valueCount else { return nil }
      count += more
    }
    return count
  }
}

extension ColumnPath {
  /// The type of the objects that the collection, inverse or to-one relationship at the end of the
  /// path refers to; nil if it is no relationship.
  fileprivate var memberType: ObjectSchema? {
    get throws {
      guard let owner = try endType, property >= 0 else { return nil }
      guard property >= owner.columns.count else {
        return try (owner.columns[property] as? ToOneColumn)?.target
      }
      let collection = property - owner.columns.count
      guard collection >= owner.collections.count else {
        return try owner.collections[collection].target
      }
      let reverse = collection - owner.collections.count
      guard reverse < owner.reverses.count else { return nil }
      return try owner.reverses[reverse].relationship.resolved().owner
    }
  }
}

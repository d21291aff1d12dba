import MagicEngine
import MagicSchema

extension QueryCompiler {
  /// A function of the rows of a subquery, which runs again for each row of the outer query.
  mutating func subquery(
    _ function: MemberFunction, _ query: Subquery, _ operand: ExpressionTree?
  ) throws -> Computation {
    let operand = try operand.map { try compile($0) }
    let table = try table(of: query.schema)
    let reach = try query.traversal.map { try traversal($0, of: query.schema) }
    let reached = reach.map { _ in CurrentDepths() }
    let outer = (scopes, keys)
    defer { (scopes, keys) = outer }
    if query.isRoot { scopes = [] }
    scopes.append(Scope(ids: query.rowScopes, schema: query.schema, depths: reached))
    let depth = scopes.count - 1
    /// The rows before the filter.
    let candidates: (QueryFrame) throws -> [StoredRow] = { frame in
      let rows = table.map { Array($0.rows.values) } ?? []
      guard let reach, let reached else { return rows }
      let depths = try reach(frame)
      reached.depths = depths
      return rows.filter { depths[$0.rowID] != nil }
    }
    let selection = try query.selection.map { try compile($0) } ?? { _ in .integer(1) }
    let filter = try query.filter.map { try compile($0) }
    if let partition = query.partition {
      return try top(
        query, candidates, operand, selection, filter,
        numbered(by: Window(partition: partition, orders: query.orders)))
    }
    var orders: [Computation] = []
    for order in query.orders { orders.append(try compile(order.tree)) }
    let limit = query.hasLimit ? try nextValue().integer : nil
    let offset = query.hasOffset ? try nextValue().integer : 0
    let rows: (QueryFrame) throws -> [QueryFrame] = { frame in
      var found: [QueryFrame] = []
      for row in try candidates(frame) {
        let inner = frame.inner(row, at: depth)
        if try filter?(inner).isTrue ?? true { found.append(inner) }
      }
      if query.isRandom { found.shuffle() }
      if !orders.isEmpty { found = try Self.sorted(found, orders, query.orders) }
      let rest = found.dropFirst(Int(offset))
      return Array(rest.prefix(limit.map { Int($0) } ?? rest.count))
    }
    return { frame in
      let found = try rows(frame)
      if let aggregate = function.aggregate { return try aggregate.result(found.map(selection)) }
      switch function {
      case .count: return .integer(Int64(found.count))
      case .exists: return StoredValue(!found.isEmpty)
      case .first: return try found.first.map(selection) ?? .null
      case .includes:
        guard let value = try operand?(frame), !value.isNull else { return StoredValue(false) }
        return StoredValue(try found.contains { try selection($0) == value })
      case .sum, .minimum, .maximum, .average, .distinctCount, .percentile, .joined:
        throw MagicError.malformedQuery
      }
    }
  }

  /// Whether a value is one of the first rows of each partition.
  private mutating func top(
    _ query: Subquery, _ candidates: @escaping (QueryFrame) throws -> [StoredRow],
    _ operand: Computation?,
    _ selection: @escaping Computation, _ filter: Computation?, _ numbers: ComputedWindow
  ) throws -> Computation {
    let depth = scopes.count - 1
    let limit = try nextValue().integer
    return { frame in
      guard let value = try operand?(frame) else { return StoredValue(false) }
      var found: [QueryFrame] = []
      for row in try candidates(frame) {
        var inner = frame.inner(row, at: depth)
        inner.place = found.count
        if try filter?(inner).isTrue ?? true { found.append(inner) }
      }
      try numbers.compute(found)
      let isFirst = try found.contains {
        try numbers.results[$0.place].integer <= limit && selection($0) == value
      }
      return StoredValue(isFirst)
    }
  }

  /// Sorts rows by several keys. Equal rows keep their order.
  private static func sorted(
    _ frames: [QueryFrame], _ keys: [Computation], _ terms: [ExpressionTree.SortTerm]
  ) throws -> [QueryFrame] {
    let values = try frames.map { frame in try keys.map { try $0(frame) } }
    return frames.indices.sorted { left, right in
      for (index, term) in terms.enumerated() {
        let order = StoredValue.order(values[left][index], values[right][index])
        if order != 0 { return (order < 0) != term.isDescending }
      }
      return left < right
    }
    .map { frames[$0] }
  }
}

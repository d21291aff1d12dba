import MagicEngine
import MagicSchema

/// A query that is compiled for a state of the tables, and the region that it reads.
struct CompiledQuery {
  let plan: QueryDescription
  let schema: ObjectSchema
  let table: MemoryTable?
  private let filter: Computation?
  let selection: [Computation]
  private let groups: [Computation]
  private let having: Computation?
  private let groupOrders: [Order]
  private let orders: [Order]
  let region: ReadRegion

  private struct Order {
    let key: Computation
    /// The index of the selected expression that is the key, if it is one.
    let selected: Int?
    let isDescending: Bool
  }

  /// A row, or a group of rows, with its selected values.
  struct Found {
    let frame: QueryFrame
    var values: [StoredValue] = []
  }

  init(
    _ query: PreparedQuery, _ tables: MemoryTables,
    rowID: @escaping (any MagicObject) throws -> Int64
  ) throws {
    (plan, schema) = (query.plan, query.schema)
    table = try tables.table(of: schema)
    var compiler = QueryCompiler(schema, tables, scopes: plan.rowScopes ?? [], rowID: rowID)
    func orders(_ terms: [QueryDescription.SortTerm]) throws -> [Order] {
      try terms.map { term in
        if case .selected(let index) = term.expression.tree {
          return Order(
            key: { _ in .null }, selected: index, isDescending: term.isDescending)
        }
        return Order(
          key: try compiler.compile(term.expression), selected: nil,
          isDescending: term.isDescending)
      }
    }
    if table == nil { compiler.region.insert(schema, isLoaded: false) }
    compiler.region.insert(table: schema.tableName, column: "")
    filter = try plan.filter.map { try compiler.compile($0) }
    selection = try plan.selection.map { try compiler.compile($0) }
    groups = try plan.groups.map { try compiler.compile($0) }
    having = try plan.having.map { try compiler.compile($0) }
    groupOrders = try orders(plan.groupOrders)
    self.orders = try orders(plan.orders)
    region = compiler.region
  }

  /// The rows after filter, order, limit and offset.
  func rows() throws -> [StoredRow] {
    guard let table else { return [] }
    var found: [Found] = []
    var cancellation = CancellationCheck()
    for row in table.rows.values {
      try cancellation.count()
      let frame = QueryFrame(rows: [row])
      if let filter, try !filter(frame).isTrue { continue }
      found.append(Found(frame: frame))
    }
    return cut(try sorted(found, by: orders)).compactMap { $0.frame.rows[0] }
  }

  /// The rows of the selection.
  func selectedRows() throws -> [[StoredValue]] {
    guard plan.isDistinct || !plan.groups.isEmpty else { return try rows().map { try select($0) } }
    // Limit and offset apply to the rows before they are made distinct or grouped.
    let rows =
      plan.hasLimitOrOffset ? try self.rows().sorted { $0.rowID < $1.rowID } : try unorderedRows()
    var found = try grouped(rows).filter { found in
      try having.map { try $0(found.frame).isTrue } ?? true
    }
    for place in found.indices { found[place].values = try select(found[place].frame) }
    if plan.isDistinct {
      var known = Set<[StoredValue]>()
      found = found.filter { known.insert($0.values).inserted }
    }
    // The order of the rows also orders the groups.
    let ordered = try sorted(found, by: groupOrders + orders).map(\.values)
    return plan.groupLimit.map { Array(ordered.prefix($0)) } ?? ordered
  }

  /// The values of the aggregates in the selection, as one row.
  func aggregates() throws -> [StoredValue] {
    let rows = plan.hasLimitOrOffset ? try self.rows() : try unorderedRows()
    return try select(QueryFrame(rows: [rows.first], group: rows))
  }

  func select(_ row: StoredRow) throws -> [StoredValue] {
    try select(QueryFrame(rows: [row]))
  }

  private func select(_ frame: QueryFrame) throws -> [StoredValue] {
    try selection.map { try $0(frame) }
  }

  private func unorderedRows() throws -> [StoredRow] {
    guard let table else { return [] }
    guard let filter else { return Array(table.rows.values) }
    return try table.rows.values.filter { try filter(QueryFrame(rows: [$0])).isTrue }
  }

  /// The rows, or groups of rows with equal keys in the order of the keys.
  private func grouped(_ rows: [StoredRow]) throws -> [Found] {
    guard !groups.isEmpty else { return rows.map { Found(frame: QueryFrame(rows: [$0])) } }
    var places: [[StoredValue]: Int] = [:]
    var found: [(key: [StoredValue], rows: [StoredRow])] = []
    for row in rows {
      let key = try groups.map { try $0(QueryFrame(rows: [row])) }
      if let place = places[key] {
        found[place].rows.append(row)
      } else {
        places[key] = found.count
        found.append((key, [row]))
      }
    }
    return found.sorted { StoredValue.order($0.key, $1.key) < 0 }
      .map { Found(frame: QueryFrame(rows: [$0.rows[0]], group: $0.rows)) }
  }

  private func sorted(_ found: [Found], by orders: [Order]) throws -> [Found] {
    if plan.isRandom { return found.shuffled() }
    guard !orders.isEmpty else { return found }
    let keys = try found.map { found in
      try orders.map { try $0.selected.map { found.values[$0] } ?? $0.key(found.frame) }
    }
    let places = found.indices.sorted { left, right in
      for (index, order) in orders.enumerated() {
        let comparison = StoredValue.order(keys[left][index], keys[right][index])
        if comparison != 0 { return (comparison < 0) != order.isDescending }
      }
      return left < right
    }
    return places.map { found[$0] }
  }

  private func cut(_ found: [Found]) -> ArraySlice<Found> {
    let rest = found.dropFirst(plan.offset ?? 0)
    return plan.limit.map { rest.prefix($0) } ?? rest
  }
}

import MagicEngine
import MagicSchema

/// A query that is compiled for a state of the tables, and the region that it reads.
struct CompiledQuery {
  let plan: QueryDescription
  let schema: ObjectSchema
  let table: MemoryTable?
  /// The rows of the traversal; nil if there is none.
  private let candidates: [StoredRow]?
  private let filter: Computation?
  /// The combinations of a row; nil if rows are not combined.
  private let join: ((StoredRow) throws -> [QueryFrame])?
  let selection: [Computation]
  private let groups: [Computation]
  private let having: Computation?
  private let groupOrders: [Order]
  private let orders: [Order]
  private let windows: [ComputedWindow]
  /// The numbers of the groups, if the result has only the first ones of each partition.
  private let top: ComputedWindow?
  let region: ReadRegion

  private struct Order {
    let key: Computation
    /// The index of the selected expression that is the key, if it is one.
    let selected: Int?
    let isDescending: Bool
  }

  /// A row, or a group of rows, with its selected values.
  struct Found {
    var frame: QueryFrame
    var values: [StoredValue] = []
  }

  init(
    _ query: PreparedQuery, _ tables: MemoryTables,
    rowID: @escaping (any MagicObject) throws -> Int64
  ) throws {
    (plan, schema) = (query.plan, query.schema)
    if plan.search != nil { throw MagicError.noSearch(schema) }
    let table = try tables.table(of: schema)
    self.table = table
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
    let depths = try plan.traversal.map {
      try compiler.traversal($0, of: query.schema)(QueryFrame(rows: [nil]))
    }
    compiler.scopes[0].depths = depths.map { depths in
      let current = CurrentDepths()
      current.depths = depths
      return current
    }
    candidates = depths.map { depths in
      depths.keys.sorted().compactMap { table?.rows[$0] }
    }
    join = try plan.join.map { try compiler.join($0) }
    filter = try plan.filter.map { try compiler.compile($0) }
    groups = try plan.groups.map { try compiler.compile($0) }
    compiler.keys = groups
    selection = try plan.selection.map { try compiler.compile($0) }
    having = try plan.having.map { try compiler.compile($0) }
    top = try plan.topGroups.map { top in
      ComputedWindow(
        .rowNumber, nil, try top.partition.map { try compiler.compile($0) },
        try top.orders.map { (try compiler.compile($0.expression), $0.isDescending) }, nil)
    }
    groupOrders = try orders(plan.groupOrders)
    self.orders = try orders(plan.orders)
    windows = compiler.windows
    region = compiler.region
  }

  /// The rows after filter, order, limit and offset.
  func rows() throws -> [StoredRow] { try found().compactMap { $0.frame.rows[0] } }

  private func found() throws -> ArraySlice<Found> {
    var found = try unorderedRows().map { Found(frame: $0) }
    if plan.groups.isEmpty { try computeWindows(&found) }
    return cut(try sorted(found, by: orders))
  }

  /// The rows of the selection.
  func selectedRows() throws -> [[StoredValue]] {
    guard plan.isDistinct || !plan.groups.isEmpty else {
      return try found().map { try select($0.frame) }
    }
    // Limit and offset apply to the rows before they are made distinct or grouped.
    let rows =
      plan.hasLimitOrOffset
      ? try self.rows().sorted { $0.rowID < $1.rowID }.map { QueryFrame(rows: [$0]) }
      : try unorderedRows()
    var found = try grouped(rows).filter { found in
      try having.map { try $0(found.frame).isTrue } ?? true
    }
    try computeWindows(&found)
    if let top, let count = plan.topGroups?.count {
      found = found.filter { top.results[$0.frame.place].integer <= count }
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
    let rows = plan.hasLimitOrOffset ? try found().map(\.frame) : try unorderedRows()
    return try select(QueryFrame(rows: rows.first?.rows ?? [nil], group: rows))
  }

  func select(_ row: StoredRow) throws -> [StoredValue] {
    try select(QueryFrame(rows: [row]))
  }

  private func select(_ frame: QueryFrame) throws -> [StoredValue] {
    try selection.map { try $0(frame) }
  }

  private func computeWindows(_ found: inout [Found]) throws {
    guard !windows.isEmpty || top != nil else { return }
    for place in found.indices { found[place].frame.place = place }
    let frames = found.map(\.frame)
    for window in windows { try window.compute(frames) }
    try top?.compute(frames)
  }

  /// The number of rows after filter, limit and offset.
  func count() throws -> Int { try found().count }

  private func unorderedRows() throws -> [QueryFrame] {
    var found: [QueryFrame] = []
    var cancellation = CancellationCheck()
    for row in allRows {
      for frame in try join?(row) ?? [QueryFrame(rows: [row])] {
        try cancellation.count()
        if try filter?(frame).isTrue ?? true { found.append(frame) }
      }
    }
    return found
  }

  /// The rows before the filter.
  private var allRows: [StoredRow] { candidates ?? table.map { Array($0.rows.values) } ?? [] }

  /// The rows, or groups of rows with equal keys in the order of the keys.
  private func grouped(_ rows: [QueryFrame]) throws -> [Found] {
    guard !groups.isEmpty else { return rows.map { Found(frame: $0) } }
    var places: [[StoredValue]: Int] = [:]
    var found: [(key: [StoredValue], rows: [QueryFrame])] = []
    for row in rows {
      let key = try groups.map { try $0(row) }
      if let place = places[key] {
        found[place].rows.append(row)
      } else {
        places[key] = found.count
        found.append((key, [row]))
      }
    }
    return found.sorted { StoredValue.order($0.key, $1.key) < 0 }
      .map { _, rows in
        var frame = rows[0]
        frame.group = rows
        return Found(frame: frame)
      }
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

package import MagicEngine
package import MagicSQLite
package import MagicSchema

extension StoreConnection {
  /// Whether the type has a table.
  package func hasTable(of schema: ObjectSchema) throws -> Bool {
    try statements(of: schema) != nil
  }

  /// Returns a packer for rows of a type that are read on this connection.
  func packer(
    for schema: ObjectSchema, _ graph: RowGraph? = nil, isSingle: Bool = false
  ) -> RowPacker {
    RowPacker(
      schema: schema, store: token, lease: schema.hasLazies ? makeLease() : nil, graph: graph,
      digest: digest, isSingle: isSingle)
  }

  /// Fetches rows of a type by any plan except a query.
  package func fetchRows(
    _ plan: FetchPlan, of schema: ObjectSchema, _ graph: RowGraph?, isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows {
    guard let statements = try statements(of: schema) else { return .none }
    switch plan {
    case .all:
      return try pack(statements.selectAll, schema, graph, isWanted)
    case .primary:
      return try fetchByPrimary(statements, graph, isWanted: isWanted)
    case .primaries:
      return try packRequested(
        statements.selectByPrimary, width: 1, schema, graph, isWanted)
    case .keys:
      guard !schema.key.isEmpty else { return .none }
      return try packRequested(
        statements.selectByKey, width: schema.key.count, schema, graph, isWanted)
    case .rows(let list):
      guard !list.rowIDs.isEmpty else { return .none }
      let select = try list.bound(
        .row,
        one: { try statements.selectOne }, range: { try statements.selectRange },
        listed: { try statements.selectListed })
      return try pack(
        select, schema, graph, isWanted, among: list, limit: list.rowIDs.count == 1 ? 1 : .max)
    case .after(let last, let limit):
      guard last != .max else { return .none }
      let select = try statements.selectRange
      try select.bind(last.map { $0 + 1 } ?? .min, at: 1)
      try select.bind(Int64.max, at: 2)
      return try pack(select, schema, graph, isWanted, limit: limit)
    case .reached(let start, let column):
      let select = try statements.selectReached(along: column)
      try select.bind(start.json, at: 1)
      return try withCancellationCheck { try pack(select, schema, graph, isWanted) }
    case .owners(let target, let property, let last, let limit):
      guard try hasJoinType(of: property) else { return .none }
      let select = try statements.selectOwners(along: property)
      try select.bind(target, at: 1)
      try select.bind(last ?? Int64.min, at: 2)
      try select.bind(Int64(limit), at: 3)
      return try pack(select, schema, graph, isWanted)
    case .query:
      throw MagicError(
        .invalidQuery, "A query must be compiled before its rows are fetched.",
        type: schema.typeName)
    }
  }

  /// Packs the rows of a statement whose first columns are those that a type's statements select.
  /// Consecutive rows with the same row ID are packed once.
  ///
  /// - Parameters:
  ///   - list: the wanted rows, if the statement returns other rows too.
  ///   - limit: the maximum number of rows.
  ///   - row: called at each accepted row.
  package func pack(
    _ select: SQLiteStatement, _ schema: ObjectSchema, _ graph: RowGraph? = nil,
    _ isWanted: ((Int64) -> Bool)? = nil, among list: RowIDSet? = nil, limit: Int = .max,
    row: (SQLiteStatement) -> Void = { _ in }
  ) throws -> FetchedRows {
    defer { select.reset() }
    var packer = packer(for: schema, graph, isSingle: limit == 1)
    var cancellation = CancellationCheck()
    var last: Int64?
    var count = 0
    var next = 0
    while try select.step() {
      let rowID = select.rowID
      try cancellation.count()
      if let list, !list.contains(rowID, from: &next) { continue }
      if let isWanted, !isWanted(rowID) { continue }
      if rowID != last { try packer.append(select, rowID: rowID) }
      last = rowID
      row(select)
      count += 1
      if count == limit { break }
    }
    return FetchedRows(packer.takeChunks(), count: count)
  }

  /// Packs the row that a statement returns for each group of parameters.
  ///
  /// - Parameter width: the number of parameters of a group.
  private func packRequested(
    _ select: SQLiteStatement, width: Int, _ schema: ObjectSchema, _ graph: RowGraph?,
    _ isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows {
    defer { select.reset() }
    var packer = packer(for: schema, graph)
    var known: Set<Int64> = []
    var rowIDs: [Int64] = []
    var cancellation = CancellationCheck()
    for place in stride(from: 0, to: parameters.count, by: width) {
      try cancellation.count()
      for index in 0..<width {
        try select.bind(
          parameters[place + index], of: parameters, parameters.firstByte, at: index + 1)
      }
      if try select.step() {
        let rowID = select.rowID
        rowIDs.append(rowID)
        if isWanted?(rowID) ?? true, known.insert(rowID).inserted {
          try packer.append(select, rowID: rowID)
        }
      }
      select.reset()
    }
    return FetchedRows(packer.takeChunks(), count: rowIDs.count, rowIDs: rowIDs)
  }

  /// Whether the database has a row.
  package func hasRow(_ rowID: Int64, of schema: ObjectSchema) throws -> Bool {
    guard let select = try statements(of: schema)?.hasRow else { return false }
    defer { select.reset() }
    try select.bind(rowID, at: 1)
    return try select.step()
  }

  /// Returns the value of a row's column; nil if the row does not exist.
  package func storedField(
    _ column: Int, ofRow rowID: Int64, of schema: ObjectSchema
  ) throws -> Field? {
    guard let select = try statements(of: schema)?.selectTarget(along: column) else { return nil }
    defer { select.reset() }
    try select.bind(rowID, at: 1)
    return try select.step() ? parameters.field(of: ColumnReader(column: select.column(0))) : nil
  }

  /// Returns the number of rows that refer to a row through a relationship.
  package func countOwners(
    of target: Int64, along property: PropertySchema, of schema: ObjectSchema
  ) throws -> Int {
    guard try hasJoinType(of: property),
      let count = try statements(of: schema)?.countOwners(along: property)
    else { return 0 }
    defer { count.reset() }
    try count.bind(target, at: 1)
    return try count.step() ? Int(count.column(0).integer) : 0
  }
}

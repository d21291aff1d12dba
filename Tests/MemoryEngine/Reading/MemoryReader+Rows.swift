package import MagicEngine
package import MagicSchema

/// Reads rows of types.
extension MemoryReader {
  package func hasTable(of schema: ObjectSchema) throws -> Bool { try table(of: schema) != nil }

  package func fetch(
    _ plan: FetchPlan, of schema: ObjectSchema, graph: RowGraph?, isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows {
    guard let table = try table(of: schema) else { return .none }
    digest?.add(statement: schema.tableName)
    var packer = packer(for: schema, graph)
    var count = 0
    var cancellation = CancellationCheck()
    func pack(_ row: StoredRow?) throws {
      guard let row else { return }
      try cancellation.count()
      if let isWanted, !isWanted(row.rowID) { return }
      try packer.append(row, rowID: row.rowID)
      count += 1
    }
    var rowIDs: [Int64] = []
    var last: [QueryValue] = []
    switch plan {
    case .all: for row in table.rows.values { try pack(row) }
    case .after(let rowID, let limit):
      if let rowID {
        for row in table.rows.values(after: rowID).prefix(limit) { try pack(row) }
      } else {
        for row in table.rows.values.prefix(limit) { try pack(row) }
      }
    case .rows(let list): for rowID in list.rowIDs { try pack(table.rows[rowID]) }
    case .reached(let list, let column):
      for rowID in reached(from: list, along: column, in: table) { try pack(table.rows[rowID]) }
    case .primary: try pack(primaryRow(0, in: table).flatMap { table.rows[$0] })
    case .primaries:
      rowIDs = (0..<parameters.count).compactMap { primaryRow($0, in: table) }
      var known = Set<Int64>()
      for rowID in rowIDs where known.insert(rowID).inserted { try pack(table.rows[rowID]) }
    case .keys:
      rowIDs = keyRows(in: table)
      digest?.add(rowIDs.count)
      var known = Set<Int64>()
      for rowID in rowIDs where known.insert(rowID).inserted { try pack(table.rows[rowID]) }
    case .owners(let target, let property, let after, let limit):
      let owners = try owners(of: target, along: property, in: table)
      for owner in owners.drop(while: { $0 <= after ?? .min }).prefix(limit) {
        try pack(table.rows[owner])
      }
    case .query(let query):
      traceQuery(for: schema)
      let compiled = try compile(query)
      let rows = try compiled.rows()
      for row in rows { try pack(row) }
      if query.result == .page, let row = rows.last, rows.count == query.plan.limit {
        last = try compiled.select(row).map(\.queryValue)
      }
    }
    digest?.add(count)
    return FetchedRows(packer.takeChunks(), count: count, rowIDs: rowIDs, last: last)
  }

  func packer(for schema: ObjectSchema, _ graph: RowGraph?) -> RowPacker {
    RowPacker(
      schema: schema, store: token, lease: schema.hasLazies ? makeLease() : nil, graph: graph,
      digest: digest)
  }

  /// The given rows, and all rows that they refer to along a to-one relationship to the same type.
  private func reached(
    from list: RowIDSet, along column: Int, in table: MemoryTable
  ) -> [Int64] {
    var (found, known) = (list.rowIDs, Set(list.rowIDs))
    var next = 0
    while next < found.count {
      let target = table.rows[found[next]]?.values[column].rowID
      if let target, known.insert(target).inserted { found.append(target) }
      next += 1
    }
    return found.sorted()
  }

  /// The row whose primary is a given field of the parameters.
  private func primaryRow(_ place: Int, in table: MemoryTable) -> Int64? {
    guard let primary = table.schema.primary, place < parameters.count else { return nil }
    return table.rows(with: StoredValue(parameters[place], in: parameters), in: primary).first
  }

  /// The rows with the keys in the parameters, in their order.
  private func keyRows(in table: MemoryTable) -> [Int64] {
    let key = table.schema.key
    guard !key.isEmpty else { return [] }
    return stride(from: 0, to: parameters.count, by: key.count).compactMap { first in
      let values = key.indices.map { StoredValue(parameters[first + $0], in: parameters) }
      return table.row(with: values, in: key)
    }
  }

  /// The rows that refer to a row along a relationship, ascending.
  private func owners(
    of target: Int64, along property: PropertySchema, in table: MemoryTable
  ) throws -> [Int64] {
    let schema = table.schema
    if let place = schema.collections.firstIndex(where: { $0.name == property.name }) {
      return try memberTable(place, of: schema)?.owners(of: target) ?? []
    }
    let column = schema.columns.firstIndex { $0.name == property.name }
    return column.map { table.rows(with: .integer(target), in: $0) } ?? []
  }

  package func hasRowWithPrimary(of schema: ObjectSchema) throws -> Bool {
    noted(try table(of: schema).flatMap { primaryRow(0, in: $0) } != nil)
  }

  package func storedField(
    _ column: Int, ofRow rowID: Int64, of schema: ObjectSchema
  ) throws -> Field? {
    guard let row = try table(of: schema)?.rows[rowID] else { return nil }
    parameters.removeAll()
    let place = parameters.append(1)
    row.values[column].add(to: digest)
    parameters.set(row.values[column].field(in: parameters), at: place)
    return parameters[place]
  }

  package func hasRow(_ rowID: Int64, of schema: ObjectSchema) throws -> Bool {
    noted(try table(of: schema)?.rows[rowID] != nil)
  }

  package func countOwners(
    of target: Int64, along property: PropertySchema, of schema: ObjectSchema
  ) throws -> Int {
    noted(try table(of: schema).map { try owners(of: target, along: property, in: $0).count } ?? 0)
  }

  /// Adds a fetched number to the digest.
  func noted(_ count: Int) -> Int {
    digest?.add(integer: Int64(count))
    return count
  }

  func noted(_ condition: Bool) -> Bool { noted(condition ? 1 : 0) == 1 }
}

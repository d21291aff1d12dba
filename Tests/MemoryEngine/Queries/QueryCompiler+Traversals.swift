import MagicEngine
import MagicSchema

/// Finds the rows that a traversal reaches, for the rows of the outer queries.
typealias Reach = (QueryFrame) throws -> [Int64: Int]

/// The depths of the rows that a traversal has reached, by row ID.
final class CurrentDepths {
  var depths: [Int64: Int] = [:]
}

extension QueryCompiler {
  /// The rows that a relationship reaches from a row in one step.
  private typealias Neighbours = (Int64) -> [Int64]

  /// Compiles the traversal of a query, which finds the depths of the rows by their row IDs.
  mutating func traversal(_ traversal: Traversal, of schema: ObjectSchema) throws -> Reach {
    values = traversal.start.values[...]
    return try reach(traversal.tree, maximum: traversal.maximumDepth, of: schema)
  }

  /// Compiles the traversal of a subquery. It takes the next values.
  mutating func traversal(_ traversal: TraversalTree, of schema: ObjectSchema) throws -> Reach {
    try reach(traversal, maximum: nil, of: schema)
  }

  private mutating func reach(
    _ traversal: TraversalTree, maximum: Int?, of schema: ObjectSchema
  ) throws -> Reach {
    let table = try table(of: schema)
    let outer = scopes.count
    scopes.append(Scope(ids: [traversal.scope], schema: schema))
    let isStart = try compile(traversal.start)
    scopes.removeLast()
    let limit =
      try maximum ?? (traversal.isLimited ? Int(clamping: nextValue().integer) : Int.max)
    let next = try neighbours(traversal, of: schema)
    return { frame in
      var depths: [Int64: Int] = [:]
      var queue: [Int64] = []
      let rows = frame.rows.prefix(outer)
      let padding = Array(repeating: StoredRow?.none, count: outer - rows.count)
      for row in table.map({ Array($0.rows.values) }) ?? []
      where try isStart(QueryFrame(rows: rows + padding + [row])).isTrue {
        depths[row.rowID] = 0
        queue.append(row.rowID)
      }
      var position = 0
      while position < queue.count {
        let row = queue[position]
        position += 1
        guard let depth = depths[row], depth < limit else { continue }
        for neighbour in next(row) where depths[neighbour] == nil {
          depths[neighbour] = depth + 1
          queue.append(neighbour)
        }
      }
      return traversal.includesStart ? depths : depths.filter { $0.value > 0 }
    }
  }

  private mutating func neighbours(
    _ traversal: TraversalTree, of schema: ObjectSchema
  ) throws -> Neighbours {
    let property = traversal.relationship.property
    guard property < schema.columns.count else {
      let place = property - schema.columns.count
      guard traversal.isReversed else { return try members(place, of: schema).find }
      return try owners(place, of: schema)
    }
    region.insert(table: schema.tableName, column: schema.columns[property].name)
    let table = try table(of: schema)
    if traversal.isReversed {
      return { table?.rows(with: .integer($0), in: property) ?? [] }
    }
    return { (table?.rows[$0]?.values[property].rowID).map { [$0] } ?? [] }
  }

  /// The rows that have a row as a member.
  private mutating func owners(_ place: Int, of schema: ObjectSchema) throws -> Neighbours {
    if schema.collections.indices.contains(place) {
      region.insert(table: schema.collections[place].joinTable(of: schema))
      let members = try tables.memberTable(place, of: schema)
      return { members?.owners(of: $0) ?? [] }
    }
    let (owner, property) = try schema.reverses[place - schema.collections.count].relationship
      .resolved()
    if let place = owner.collections.firstIndex(where: { $0 === property }) {
      return try members(place, of: owner).find
    }
    guard let column = owner.columns.firstIndex(where: { $0 === property }) else {
      throw MagicError.malformedQuery
    }
    region.insert(table: owner.tableName, column: property.name)
    let table = try table(of: owner)
    return { (table?.rows[$0]?.values[column].rowID).map { [$0] } ?? [] }
  }
}

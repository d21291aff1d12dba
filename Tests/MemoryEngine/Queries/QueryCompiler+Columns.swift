import MagicEngine
import MagicSchema

/// Columns and members of collections.
extension QueryCompiler {
  /// A column of a row, or of a row that a chain of to-one relationships refers to.
  mutating func column(_ path: ColumnPath) throws -> Computation {
    try column(path.property, through: path.toOnes[...], in: try scope(of: path))
  }

  /// The index of the scope of a path among the open scopes.
  private func scope(of path: ColumnPath) throws -> Int {
    let scope: Int? =
      switch path.scope {
      case .innermost: scopes.lastIndex { !$0.isJoined }
      case .root: scopes.indices.first
      default: scopes.lastIndex { $0.ids.contains(path.scope) }
      }
    guard let scope, scopes[scope].schema.ordinal == path.type else {
      throw MagicError(.invalidQuery, "A row of a query is used outside its closure.")
    }
    return scope
  }

  private mutating func column(
    _ property: Int, through toOnes: ArraySlice<Int>, in scope: Int
  ) throws -> Computation {
    if property == ColumnPath.depth { return try depth(in: scope) }
    // The column of a to-one relationship contains the row ID of its target.
    if property == ColumnPath.rowID, let last = toOnes.last {
      return try column(last, through: toOnes.dropLast(), in: scope)
    }
    var schema = scopes[scope].schema
    var steps: [(column: Int, target: MemoryTable?)] = []
    for toOne in toOnes {
      let column = try schema.toOne(toOne)
      region.insert(table: schema.tableName, column: column.name)
      schema = try column.target
      steps.append((toOne, try table(of: schema)))
    }
    guard property < schema.columns.count else {
      throw MagicError(
        .invalidQuery,
        "A collection is not a value: use a predicate on its members, or their count.",
        type: schema.typeName)
    }
    let isRowID = property == ColumnPath.rowID
    region.insert(
      table: schema.tableName, column: isRowID ? "z_index" : schema.columns[property].name)
    return { frame in
      var row = scope < frame.rows.count ? frame.rows[scope] : nil
      for (column, target) in steps {
        row = row?.values[column].rowID.flatMap { target?.rows[$0] }
      }
      guard let row else { return .null }
      return isRowID ? .integer(row.rowID) : row.values[property]
    }
  }

  private func depth(in scope: Int) throws -> Computation {
    guard let depths = scopes[scope].depths else {
      throw MagicError(
        .invalidQuery, "Only a row of a query with descendants or ancestors has a depth.",
        type: scopes[scope].schema.typeName)
    }
    return { frame in
      let row = scope < frame.rows.count ? frame.rows[scope] : nil
      return row.flatMap { depths.depths[$0.rowID] }.map { .integer(Int64($0)) } ?? .null
    }
  }

  /// The table of a type, or nil if there is none.
  mutating func table(of schema: ObjectSchema) throws -> MemoryTable? {
    let table = try tables.table(of: schema)
    if table == nil {
      region.insert(schema, isLoaded: false)
    } else {
      region.insert(table: schema.tableName, column: "")
    }
    return table
  }

  /// A function of the members of a collection, or of the owners in an inverse relationship.
  mutating func members(
    _ function: MemberFunction, of path: ColumnPath, _ predicate: MemberPredicate?
  ) throws -> Computation {
    let scope = try scope(of: path)
    var owner = scopes[scope].schema
    for toOne in path.toOnes { owner = try owner.toOne(toOne).target }
    let key = try column(ColumnPath.rowID, through: path.toOnes[...], in: scope)
    let (find, schema) = try members(path.property - owner.columns.count, of: owner)
    var condition: Computation?
    if let predicate {
      scopes.append(Scope(ids: [predicate.scope], schema: schema))
      defer { scopes.removeLast() }
      condition = try compile(predicate.condition)
    }
    let aggregate = function.aggregate
    let included = function == .includes ? try nextValue().rowID : nil
    let separator = function == .joined ? try nextValue() : .null
    let rows = predicate == nil ? nil : try table(of: schema)
    let depth = scopes.count
    return { frame in
      var found = try key(frame).rowID.map(find) ?? []
      if function.isAggregate, let condition {
        let values = try found.map { member in
          try condition(frame.inner(rows?.rows[member], at: depth))
        }
        return try aggregate?.result(values) ?? .joined(values, separator: separator)
      }
      if let condition {
        found = try found.filter { member in
          guard let row = rows?.rows[member] else { return false }
          return try condition(frame.inner(row, at: depth)).isTrue
        }
      }
      return switch function {
      case .count: .integer(Int64(found.count))
      case .exists: StoredValue(!found.isEmpty)
      case .includes: StoredValue(found.contains { $0 == included })
      case .first, .sum, .minimum, .maximum, .average, .distinctCount, .percentile, .joined:
        throw MagicError.malformedQuery
      }
    }
  }

  /// Finds the members of a row.
  ///
  /// - Parameter place: The index of the collection among those of the owner; larger indexes are
  ///   inverse relationships.
  mutating func members(
    _ place: Int, of owner: ObjectSchema
  ) throws -> (find: (Int64) -> [Int64], schema: ObjectSchema) {
    if owner.collections.indices.contains(place) {
      let collection = owner.collections[place]
      region.insert(table: collection.joinTable(of: owner))
      let members = try tables.memberTable(place, of: owner)
      return ({ members?.members(of: $0).map(\.target) ?? [] }, try collection.target)
    }
    let reverse = place - owner.collections.count
    guard owner.reverses.indices.contains(reverse) else {
      throw MagicError(
        .invalidQuery, "Only a collection of objects has members.", type: owner.typeName)
    }
    let (schema, property) = try owner.reverses[reverse].relationship.resolved()
    let table = try table(of: schema)
    if let place = schema.collections.firstIndex(where: { $0 === property }) {
      region.insert(table: schema.collections[place].joinTable(of: schema))
      let members = try tables.memberTable(place, of: schema)
      return ({ members?.owners(of: $0) ?? [] }, schema)
    }
    guard let column = schema.columns.firstIndex(where: { $0 === property }) else {
      throw MagicError.malformedQuery
    }
    region.insert(table: schema.tableName, column: property.name)
    return ({ table?.rows(with: .integer($0), in: column) ?? [] }, schema)
  }
}

extension ObjectSchema {
  fileprivate func toOne(_ column: Int) throws -> ToOneColumn {
    guard columns.indices.contains(column), let toOne = columns[column] as? ToOneColumn else {
      throw MagicError.malformedQuery
    }
    return toOne
  }
}

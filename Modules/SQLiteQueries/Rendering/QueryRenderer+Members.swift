import MagicEngine
import MagicSQLText
import MagicSchema
import SQLiteEngine
import SQLiteTables

extension QueryRenderer {
  /// The FROM clause and condition for the members of one row.
  struct Members {
    var source: String
    /// The condition that restricts the source to members of the row.
    let condition: String
    /// The type of the members.
    let schema: ObjectSchema
    /// The expression for the row ID of a member.
    let key: String
    /// The rows of the members, if the source contains them; nil if it is a join table.
    let rows: RowScope?
    /// Whether the source may contain a member more than once although it counts once.
    let isRepeated: Bool
  }

  /// Renders a function of the members of a collection, or of an inverse relationship.
  mutating func members(
    _ function: MemberFunction, of path: ColumnPath, _ predicate: MemberPredicate?
  ) throws -> SQLTerm {
    let members = try members(of: path, id: predicate?.scope ?? .innermost)
    var conditions = [members.condition]
    var source = members.source
    var aggregated = ""
    var isReal = false
    if let predicate {
      let scope = try rows(of: members, id: predicate.scope, &source)
      scopes.append(scope)
      defer { scopes.removeLast() }
      if function.isAggregate {
        let term = try term(predicate.condition)
        aggregated = term.value.text
        isReal = self.isReal(predicate.condition)
      } else {
        conditions.append(try condition(predicate.condition).text(.not))
      }
      source += scopes[scopes.count - 1].joinText
    }
    if function == .includes { conditions.append("\(members.key) = \(parameter())") }
    let tail = "FROM \(source) WHERE \(conditions.joined(separator: " AND "))"
    switch function {
    case .count:
      return SQLTerm(
        "(SELECT count(\(members.isRepeated ? "DISTINCT \(members.key)" : "*")) \(tail))")
    case .exists, .includes: return SQLTerm("EXISTS (SELECT 1 \(tail))")
    case .first, .sum, .minimum, .maximum, .average, .distinctCount, .percentile, .joined:
      guard function.isAggregate, predicate != nil else { throw MagicError.malformedQuery }
      // In SQL, an aggregate whose operand has columns of an outer query only is an aggregate of the
      // outer query. A column of a subquery avoids that.
      let key = members.isRepeated ? "DISTINCT \(members.key), " : ""
      let result =
        function.aggregate.map { Self.aggregate($0, of: "\"value\"", isReal: isReal) }
        ?? SQLTerm("group_concat(\"value\", \(parameter()))", mayBeNull: true)
      return SQLTerm(
        "(SELECT \(result.text) FROM (SELECT \(key)\(aggregated) AS \"value\" \(tail)))",
        mayBeNull: result.mayBeNull)
    }
  }

  private mutating func rows(
    of members: Members, id: RowScopeID, _ source: inout String
  ) throws -> RowScope {
    if let rows = members.rows { return rows }
    let rows = RowScope(
      ids: [id], schema: members.schema, table: try table(members.schema), alias: alias())
    source += " JOIN \(rows.table.source) AS \(rows.alias) "
    source += "ON \(rows.alias).\"z_index\" = \(members.key)"
    return rows
  }

  private mutating func members(of path: ColumnPath, id: RowScopeID) throws -> Members {
    let scope = try scope(of: path)
    let owner = try scopes[scope].schema.target(through: path.toOnes)
    let key = try column(ColumnPath.rowID, through: path.toOnes, in: scope).text
    guard path.property >= owner.columns.count else {
      throw MagicError(
        .invalidQuery, "Only a collection of objects has members.", type: owner.typeName)
    }
    return try members(of: owner, path.property, isReversed: false, key: key, id: id)
  }

  /// Renders the objects that a relationship connects with a row: the target or the members, or if
  /// reversed the objects that refer to it.
  mutating func members(
    of schema: ObjectSchema, _ property: Int, isReversed: Bool, key: String,
    id: RowScopeID = .innermost
  ) throws -> Members {
    let stored = try schema.storedRelationship(at: property, isReversed: isReversed)
    return stored.isReversed
      ? try members(referringTo: key, through: stored.relationship, of: stored.owner, id: id)
      : try members(of: stored.owner, stored.relationship, key: key, id: id)
  }

  /// Renders the target or the members of a row.
  private mutating func members(
    of owner: ObjectSchema, _ property: PropertySchema, key: String, id: RowScopeID
  ) throws -> Members {
    if let collection = owner.collections.firstIndex(where: { $0 === property }) {
      return try members(of: owner, collection: collection, key: key, id: id)
    }
    guard let column = owner.columns.firstIndex(where: { $0 === property }),
      let toOne = owner.columns[column] as? ToOneColumn
    else { throw MagicError.malformedQuery }
    let rows = RowScope(ids: [], schema: owner, table: try table(owner), alias: alias())
    let target = rows.table.column(column, of: rows.root)
    return Members(
      source: "\(rows.table.source) AS \(rows.alias)",
      condition: "\(rows.alias).\"z_index\" = \(key) AND \(target) IS NOT NULL",
      schema: try toOne.target, key: target, rows: nil, isRepeated: false)
  }

  private mutating func members(
    of owner: ObjectSchema, collection: Int, key: String, id: RowScopeID
  ) throws -> Members {
    let alias = alias()
    let links = try links(of: owner, collection)
    let names = links.columns
    let target = try owner.collections[collection].target
    return Members(
      source: "\(links.source) AS \(alias)",
      condition: "\(alias).\(names.owner) = \(key)", schema: target,
      key: "\(alias).\(names.target)",
      rows: links.exists && names.isOwned
        ? RowScope(ids: [id], schema: target, table: try table(target), alias: alias) : nil,
      isRepeated: names.hasRepeats)
  }

  private mutating func members(
    referringTo key: String, through property: PropertySchema, of owner: ObjectSchema,
    id: RowScopeID
  ) throws -> Members {
    let alias = alias()
    if let collection = owner.collections.firstIndex(where: { $0 === property }) {
      let links = try links(of: owner, collection)
      let names = links.columns
      let hasOwner = names.isOwned ? " AND \(alias).\(names.owner) IS NOT NULL" : ""
      return Members(
        source: "\(links.source) AS \(alias)",
        condition: "\(alias).\(names.target) = \(key)\(hasOwner)", schema: owner,
        key: "\(alias).\(names.owner)", rows: nil, isRepeated: !names.isOwned)
    }
    guard let column = owner.columns.firstIndex(where: { $0 === property }) else {
      throw MagicError.malformedQuery
    }
    let rows = RowScope(ids: [id], schema: owner, table: try table(owner), alias: alias)
    return Members(
      source: "\(rows.table.source) AS \(alias)",
      condition: "\(rows.table.column(column, of: rows.root)) = \(key)", schema: owner,
      key: "\(alias).\"z_index\"", rows: rows, isRepeated: false)
  }

  private mutating func links(
    of owner: ObjectSchema, _ collection: Int
  ) throws -> QueryTable.Links {
    let links = try table(owner).links[collection]
    if !links.exists { didFindMissingTable() }
    return links
  }
}

import MagicPostgreSQL
import MagicRequests
import MagicSQLText
import MagicSchema

extension QueryRenderer {
  /// The FROM clause and condition for the members of one row.
  struct Members {
    let source: String
    /// The condition that restricts the source to members of the row.
    let condition: String
    /// The type of the members.
    let schema: ObjectSchema
    /// The expression for the row ID of a member.
    let key: String
    /// The rows of the members, if the source contains them; nil if it is a join table.
    var rows: RowScope?
    /// Whether the source may contain a member more than once although it counts once.
    var isRepeated = false
    /// The expressions by which the members are ordered.
    var order: [String] = []
  }

  /// Renders a function of the members of a collection, or of an inverse relationship.
  mutating func members(
    _ function: MemberFunction, of path: ColumnPath, _ predicate: MemberPredicate?
  ) throws -> SQLTerm {
    let members = try members(of: path, id: predicate?.scope ?? .innermost)
    var conditions = [members.condition]
    var source = members.source
    var computed: SQLTerm?
    if let predicate {
      scopes.append(try rows(of: members, id: predicate.scope, &source))
      defer { scopes.removeLast() }
      let term = try term(predicate.condition)
      if function.isAggregate {
        computed = typed(term)
      } else {
        conditions.append(condition(term).text(.not))
      }
      source += scopes[scopes.count - 1].joinText
    }
    if function == .includes { conditions.append("\(members.key) = \(try parameter(.bigint))") }
    let tail = "FROM \(source) WHERE \(conditions.joined(separator: " AND "))"
    switch function {
    case .count:
      let counted = members.isRepeated ? "DISTINCT \(members.key)" : "*"
      return SQLTerm("(SELECT count(\(counted)) \(tail))", .bigint)
    case .exists, .includes: return SQLTerm.condition("EXISTS (SELECT 1 \(tail))", .atom)
    case .first, .sum, .minimum, .maximum, .average, .distinctCount, .percentile, .joined:
      guard function.isAggregate, let computed else { throw MagicError.malformedQuery }
      return try aggregate(function, of: computed, members, tail)
    }
  }

  /// Renders an aggregate of an expression of the members. In SQL, an aggregate whose operand has
  /// columns of an outer query only is an aggregate of the outer query. A column of a subquery avoids
  /// that.
  private mutating func aggregate(
    _ function: MemberFunction, of computed: SQLTerm, _ members: Members, _ tail: String
  ) throws -> SQLTerm {
    let value = computed.named("\"value\"")
    let isJoined = function == .joined
    let key =
      members.isRepeated
      ? "DISTINCT \(members.key) AS \"order0\", "
      : isJoined ? members.order.enumerated().map { "\($1) AS \"order\($0)\", " }.joined() : ""
    let orders = members.isRepeated ? 1 : members.order.count
    let order = (0..<orders).map { "\"order\($0)\"" }.joined(separator: ", ")
    let result =
      if let aggregate = function.aggregate {
        self.aggregate(aggregate, of: value)
      } else {
        try joined(value, order.isEmpty ? "" : " ORDER BY \(order)")
      }
    return result.with(
      "(SELECT \(result.text) FROM (SELECT \(key)\(computed.text) AS \"value\" \(tail)) "
        + "AS \(alias()))")
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
    return try members(of: owner, path.property, isReversed: false, "= \(key)", id: id)
  }

  /// Renders the objects that a relationship connects with a row: the target or the members, or if
  /// reversed the objects that refer to it.
  ///
  /// - Parameter test: the end of a condition for the row ID of the row, such as `= t0."z_index"`.
  mutating func members(
    of schema: ObjectSchema, _ property: Int, isReversed: Bool, _ test: String,
    id: RowScopeID = .innermost
  ) throws -> Members {
    let stored = try schema.storedRelationship(at: property, isReversed: isReversed)
    return stored.isReversed
      ? try members(referringTo: test, through: stored.relationship, of: stored.owner, id: id)
      : try members(of: stored.owner, stored.relationship, test, id: id)
  }

  /// Renders the target or the members of a row.
  private mutating func members(
    of owner: ObjectSchema, _ property: PropertySchema, _ test: String, id: RowScopeID
  ) throws -> Members {
    let alias = alias()
    if let collection = owner.collections.firstIndex(where: { $0 === property }) {
      let links = try links(of: owner, collection)
      return Members(
        source: "\(links.source) AS \(alias)", condition: "\(alias).\(links.owner) \(test)",
        schema: try owner.collections[collection].target, key: "\(alias).\(links.target)",
        order: links.order.map { "\(alias).\($0)" })
    }
    guard let column = owner.columns.firstIndex(where: { $0 === property }),
      let toOne = owner.columns[column] as? ToOneColumn
    else { throw MagicError.malformedQuery }
    let rows = RowScope(ids: [], schema: owner, table: try table(owner), alias: alias)
    let target = rows.root.column(column)
    return Members(
      source: "\(rows.table.source) AS \(alias)",
      condition: "\(alias).\"z_index\" \(test) AND \(target) IS NOT NULL",
      schema: try toOne.target, key: target)
  }

  private mutating func members(
    referringTo test: String, through property: PropertySchema, of owner: ObjectSchema,
    id: RowScopeID
  ) throws -> Members {
    let alias = alias()
    if let collection = owner.collections.firstIndex(where: { $0 === property }) {
      let links = try links(of: owner, collection)
      let key = "\(alias).\(links.owner)"
      return Members(
        source: "\(links.source) AS \(alias)", condition: "\(alias).\(links.target) \(test)",
        schema: owner, key: key, isRepeated: true, order: [key])
    }
    guard let column = owner.columns.firstIndex(where: { $0 === property }) else {
      throw MagicError.malformedQuery
    }
    let rows = RowScope(ids: [id], schema: owner, table: try table(owner), alias: alias)
    let key = "\(alias).\"z_index\""
    return Members(
      source: "\(rows.table.source) AS \(alias)", condition: "\(rows.root.column(column)) \(test)",
      schema: owner, key: key, rows: rows, order: [key])
  }

  private mutating func links(
    of owner: ObjectSchema, _ collection: Int
  ) throws -> QueryTable.Links {
    let links = try table(owner).links[collection]
    if links.table == nil { didFindMissingTable() }
    return links
  }
}

import MagicSQLite

/// Members of relationships, and the objects that refer to an object. All are found with an index.
extension InspectionReader {
  /// Returns a page of the members of a relationship. A member that a list contains twice is
  /// returned twice.
  public func members(
    of relationship: InspectedRelationship, owner: Int64, in database: InspectedDatabase,
    offset: Int = 0, limit: Int = 50
  ) throws -> MemberPage {
    guard let type = database.type(ofTable: relationship.target) else {
      throw InspectionError(.notFound, "The file does not have the type of the members.")
    }
    let query = MemberQuery.members(of: relationship)
    return try page(query, owner, of: type, offset: offset, limit: limit)
  }

  /// The number of members of a relationship.
  public func memberCount(of relationship: InspectedRelationship, owner: Int64) throws -> Int {
    try count(MemberQuery.members(of: relationship), owner)
  }

  /// Returns a page of the objects that refer to an object by a relationship, each once.
  public func referrers(
    to rowID: Int64, by relationship: InspectedRelationship, in database: InspectedDatabase,
    offset: Int = 0, limit: Int = 50
  ) throws -> MemberPage {
    guard let type = database.type(ofTable: relationship.owner) else {
      throw InspectionError(.notFound, "The file does not have the type that refers to the object.")
    }
    let query = MemberQuery.owners(relationship.owner, relationship.target, relationship.source)
    return try page(query, rowID, of: type, offset: offset, limit: limit)
  }

  /// The number of objects that refer to an object by a relationship.
  public func referrerCount(to rowID: Int64, by relationship: InspectedRelationship) throws -> Int {
    try count(
      MemberQuery.owners(relationship.owner, relationship.target, relationship.source), rowID)
  }

  private func count(_ query: MemberQuery, _ rowID: Int64) throws -> Int {
    let sql = "SELECT count(*) FROM (SELECT \(query.result) \(query.source))"
    return Int(try integer(sql, [.init(.integer(rowID))]) ?? 0)
  }

  private func page(
    _ query: MemberQuery, _ rowID: Int64, of type: InspectedType, offset: Int, limit: Int
  ) throws -> MemberPage {
    let limit = max(1, min(limit, 10_000))
    let sql = """
      SELECT \(query.result), \(query.key) \(query.source) ORDER BY \(query.order) \
      LIMIT \(limit + 1) OFFSET \(max(0, offset))
      """
    let found = try map(sql, [.init(.integer(rowID))]) { statement in
      let key = query.key == "NULL" ? nil : InspectedValue(statement.column(1), limit: 4_096)
      return (statement.column(0).integer, key)
    }
    return MemberPage(
      members: try found.prefix(limit).map { try reference(to: $0, of: type, key: $1) },
      hasMore: found.count > limit)
  }
}

/// The SQL that finds the members of a relationship, or the owners of a member. Its parameter is a
/// row ID.
private struct MemberQuery {
  /// The row ID that is found, with DISTINCT if each is found once.
  let result: String
  /// The key of a dictionary's member, else NULL.
  var key = "NULL"
  /// FROM and WHERE.
  let source: String
  let order: String

  private static let rowID = InspectedType.rowIDColumn.quoted

  static func members(of relationship: InspectedRelationship) -> MemberQuery {
    switch relationship.source {
    case .column(let column):
      return MemberQuery(
        result: column.quoted,
        source: """
          FROM \(relationship.owner.quoted) WHERE \(rowID) = ? AND \(column.quoted) IS NOT NULL
          """, order: "1")
    case .joinTable(let table):
      let order = [InspectedForm.list: "position", .dictionary: "key"][relationship.form]
      return MemberQuery(
        result: "target", key: relationship.form == .dictionary ? "key" : "NULL",
        source: "FROM \(table.quoted) WHERE owner = ?", order: order ?? "target")
    case .owned(let owner, let position):
      return MemberQuery(
        result: rowID, source: "FROM \(relationship.target.quoted) WHERE \(owner.quoted) = ?",
        order: position.quoted)
    case .joinType(let table, let owner, let target, let order, let isSet):
      let source = """
        FROM \(table.quoted) WHERE \(owner.quoted) = ? AND \(target.quoted) IS NOT NULL
        """
      return isSet
        ? MemberQuery(result: "DISTINCT \(target.quoted)", source: source, order: "1")
        : MemberQuery(
          result: target.quoted, source: source, order: "\(order.quoted), \(rowID)")
    case .inverse(let table, _, let source):
      return owners(table, relationship.owner, source)
    }
  }

  /// The owners of a relationship that contains a member.
  static func owners(
    _ owner: String, _ target: String, _ source: InspectedRelationship.Source
  ) -> MemberQuery {
    switch source {
    case .column(let column):
      return MemberQuery(
        result: rowID, source: "FROM \(owner.quoted) WHERE \(column.quoted) = ?", order: "1")
    case .joinTable(let table):
      return MemberQuery(
        result: "DISTINCT owner", source: "FROM \(table.quoted) WHERE target = ?", order: "1")
    case .owned(let ownerColumn, _):
      return MemberQuery(
        result: ownerColumn.quoted,
        source: """
          FROM \(target.quoted) WHERE \(rowID) = ? AND \(ownerColumn.quoted) IS NOT NULL
          """, order: "1")
    case .joinType(let table, let ownerColumn, let targetColumn, _, _):
      return MemberQuery(
        result: "DISTINCT \(ownerColumn.quoted)",
        source: """
          FROM \(table.quoted) WHERE \(targetColumn.quoted) = ? AND \(ownerColumn.quoted) IS NOT NULL
          """, order: "1")
    case .inverse(_, _, let source): return owners(owner, target, source)
    }
  }
}

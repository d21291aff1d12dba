import MagicSQLite

extension InspectionReader {
  /// Returns a page of the members of a relationship. A member that a list contains twice is
  /// returned twice.
  public func members(
    of relationship: InspectedRelationship, owner: Int64, in database: InspectedDatabase,
    offset: Int = 0, limit: Int = 50
  ) throws -> MemberPage {
    try reading.members(of: relationship, owner: owner, in: database, offset: offset, limit: limit)
  }

  /// The number of members of a relationship.
  public func memberCount(of relationship: InspectedRelationship, owner: Int64) throws -> Int {
    try reading.memberCount(of: relationship, owner: owner)
  }

  /// Returns a page of the objects that refer to an object by a relationship, each once.
  public func referrers(
    to rowID: Int64, by relationship: InspectedRelationship, in database: InspectedDatabase,
    offset: Int = 0, limit: Int = 50
  ) throws -> MemberPage {
    try reading.referrers(to: rowID, by: relationship, in: database, offset: offset, limit: limit)
  }

  /// The number of objects that refer to an object by a relationship.
  public func referrerCount(to rowID: Int64, by relationship: InspectedRelationship) throws -> Int {
    try reading.referrerCount(to: rowID, by: relationship)
  }

  package func count(_ query: MemberQuery, _ rowID: Int64) throws -> Int {
    Int(try integer(query.count, [.init(.integer(rowID))]) ?? 0)
  }

  package func page(
    _ query: MemberQuery, _ rowID: Int64, of type: InspectedType, offset: Int, limit: Int
  ) throws -> MemberPage {
    let limit = max(1, min(limit, 10_000))
    let sql = query.page(offset: offset, limit: limit)
    let found = try map(sql, [.init(.integer(rowID))]) { statement in
      let key = !query.hasKeys ? nil : InspectedValue(statement.column(1), limit: 4_096)
      return (statement.column(0).integer, key)
    }
    return MemberPage(
      members: try found.prefix(limit).map { try reference(to: $0, of: type, key: $1) },
      hasMore: found.count > limit)
  }
}

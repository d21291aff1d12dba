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
}

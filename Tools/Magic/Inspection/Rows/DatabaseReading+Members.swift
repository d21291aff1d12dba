/// Objects, members of relationships, and the objects that refer to an object. All are found with an index.
extension DatabaseReading {
  /// Returns an object, named for a reader.
  package func reference(
    to rowID: Int64, of type: InspectedType
  ) throws -> InspectedReference {
    try reference(to: rowID, of: type, key: nil)
  }

  /// Returns a page of the members of a relationship. A member that a list contains twice is
  /// returned twice.
  package func members(
    of relationship: InspectedRelationship, owner: Int64, in database: InspectedDatabase,
    offset: Int = 0, limit: Int = 50
  ) throws -> MemberPage {
    guard let type = database.type(ofTable: relationship.target) else {
      throw InspectionError(.notFound, "The database does not have the type of the members.")
    }
    let query = MemberQuery.members(of: relationship)
    return try page(query, owner, of: type, offset: offset, limit: limit)
  }

  /// The number of members of a relationship.
  package func memberCount(of relationship: InspectedRelationship, owner: Int64) throws -> Int {
    try count(MemberQuery.members(of: relationship), owner)
  }

  /// Returns a page of the objects that refer to an object by a relationship, each once.
  package func referrers(
    to rowID: Int64, by relationship: InspectedRelationship, in database: InspectedDatabase,
    offset: Int = 0, limit: Int = 50
  ) throws -> MemberPage {
    guard let type = database.type(ofTable: relationship.owner) else {
      throw InspectionError(
        .notFound, "The database does not have the type that refers to the object.")
    }
    let query = MemberQuery.owners(of: relationship)
    return try page(query, rowID, of: type, offset: offset, limit: limit)
  }

  /// The number of objects that refer to an object by a relationship.
  package func referrerCount(
    to rowID: Int64, by relationship: InspectedRelationship
  ) throws -> Int {
    try count(MemberQuery.owners(of: relationship), rowID)
  }

  /// Returns a number of members or owners.
  package func count(_ query: MemberQuery, _ rowID: Int64) throws -> Int {
    try number(query.count, [InspectedValue(.integer(rowID))])
  }

  /// Returns a page of members or owners.
  package func page(
    _ query: MemberQuery, _ rowID: Int64, of type: InspectedType, offset: Int, limit: Int
  ) throws -> MemberPage {
    let limit = max(1, min(limit, 10_000))
    let found = try rows(
      query.page(offset: offset, limit: limit), [InspectedValue(.integer(rowID))],
      valuesUpTo: 4_096)
    let members = found.prefix(limit).map { (rowID: $0[0].integer ?? 0, key: $0[1]) }
    try readReferences(to: members.map(\.rowID), of: type)
    return MemberPage(
      members: try members.map {
        try reference(to: $0.rowID, of: type, key: query.hasKeys ? $0.key : nil)
      },
      hasMore: found.count > limit)
  }
}

/// Objects, members of relationships, and the objects that refer to an object. All are found with an index.
extension ObjectReading {
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
}

/// An object, named for a reader.
public struct InspectedReference: Hashable, Sendable {
  /// The table of the object's type.
  public let table: String
  /// The row ID.
  public let rowID: Int64
  /// A value that names the object, on one line; nil if it has none.
  public let label: String?
  /// Whether the row exists. Only a damaged file refers to a row that does not.
  public let exists: Bool
  /// The key of the object in a dictionary.
  public let key: InspectedValue?

  package init(
    table: String, rowID: Int64, label: String?, exists: Bool, key: InspectedValue?
  ) {
    self.table = table
    self.rowID = rowID
    self.label = label
    self.exists = exists
    self.key = key
  }
}

/// An object with what it refers to and what refers to it.
public struct InspectedObject: Sendable {
  /// The type.
  public let type: InspectedType
  /// The row.
  public let row: InspectedRow
  /// The object, named.
  public let reference: InspectedReference
  /// The objects of the to-ones that are set, by the names of the properties in Swift.
  public let toOnes: [String: InspectedReference]
  /// The collections and inverse relationships, with the numbers of their members. Those that may not be
  /// read are left out.
  public let collections: [InspectedCollection]
  /// The relationships of other objects that refer to this one, with the numbers of these objects.
  /// Those without an object, and those that may not be read, are left out.
  public let referrers: [InspectedCollection]

  package init(
    type: InspectedType, row: InspectedRow, reference: InspectedReference,
    toOnes: [String: InspectedReference], collections: [InspectedCollection],
    referrers: [InspectedCollection]
  ) {
    self.type = type
    self.row = row
    self.reference = reference
    self.toOnes = toOnes
    self.collections = collections
    self.referrers = referrers
  }
}

/// A relationship of an object, and how many members it has.
public struct InspectedCollection: Hashable, Sendable {
  /// The relationship.
  public let relationship: InspectedRelationship
  /// The number of members.
  public let count: Int

  package init(
    relationship: InspectedRelationship, count: Int
  ) {
    self.relationship = relationship
    self.count = count
  }
}

/// A page of members.
public struct MemberPage: Hashable, Sendable {
  /// The members, in the order of the relationship.
  public let members: [InspectedReference]
  /// Whether there are more.
  public let hasMore: Bool

  package init(
    members: [InspectedReference], hasMore: Bool
  ) {
    self.members = members
    self.hasMore = hasMore
  }
}

extension InspectedObject {
  /// Reads an object.
  ///
  /// - Throws: ``InspectionError`` with the kind `notFound` if there is no such row.
  package init(
    _ rowID: Int64, of type: InspectedType, in database: InspectedDatabase,
    _ reader: some DatabaseReading
  ) throws {
    guard let row = try reader.row(rowID, of: type) else {
      throw InspectionError(.notFound, "There is no object with this row ID.")
    }
    var toOnes: [String: InspectedReference] = [:]
    for (column, value) in zip(type.columns, row.values) where column.form == .one {
      guard let target = column.target.flatMap(database.type(ofTable:)), let other = value.integer
      else { continue }
      toOnes[column.property] = try reader.reference(to: other, of: target, key: nil)
    }
    func counted(
      _ relationship: InspectedRelationship, by query: MemberQuery
    ) throws -> InspectedCollection? {
      try reader.ifReadable {
        InspectedCollection(relationship: relationship, count: try reader.count(query, rowID))
      }
    }
    let collections = try type.relationships.filter { $0.form != .one }.compactMap {
      try counted($0, by: .members(of: $0))
    }
    let referrers = try database.references(to: type.table).compactMap {
      try counted($0, by: .owners(of: $0))
    }
    self.init(
      type: type, row: row, reference: try reader.reference(to: rowID, of: type, key: nil),
      toOnes: toOnes, collections: collections,
      referrers: referrers.filter { $0.count > 0 })
  }
}

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
  /// The collections and inverse relationships, with the numbers of their members.
  public let collections: [InspectedCollection]
  /// The relationships of other objects that refer to this one, with the numbers of these objects.
  /// Those without an object are left out.
  public let referrers: [InspectedCollection]
}

/// A relationship of an object, and how many members it has.
public struct InspectedCollection: Hashable, Sendable {
  /// The relationship.
  public let relationship: InspectedRelationship
  /// The number of members.
  public let count: Int
}

/// A page of members.
public struct MemberPage: Hashable, Sendable {
  /// The members, in the order of the relationship.
  public let members: [InspectedReference]
  /// Whether there are more.
  public let hasMore: Bool
}

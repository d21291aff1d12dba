package import MagicSchema

/// Reads rows of types and members of collections.
///
/// Each read throws the error of `ObjectSchema.reach` for a type that cannot be stored, or that
/// refers to a type that cannot be stored, even if the type has no table.
package protocol EngineRows: AnyObject {
  /// The values of a fetch. Empty between fetches.
  var parameters: FieldBuffer { get }

  /// Returns whether the type has a table.
  ///
  /// - Throws: ``MigrationRequired`` if the table is outdated.
  func hasTable(of schema: ObjectSchema) throws -> Bool

  /// Fetches and packs rows of a type. The result is empty if the type has no table.
  ///
  /// A query may return a row several times. Consecutive occurrences of a row are packed once.
  ///
  /// - Parameters:
  ///   - graph: the graph that the rows join if their type is in a cycle of relationships.
  ///   - isWanted: returns whether the row with an ID is packed. Nil to pack all rows.
  /// - Throws: `MagicError` with `.cannotDecode` for a value that is not valid for its property.
  func fetch(
    _ plan: FetchPlan, of schema: ObjectSchema, graph: RowGraph?, isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows

  /// Returns whether a row has the primary value that is the first of ``parameters``.
  func hasRowWithPrimary(of schema: ObjectSchema) throws -> Bool

  /// Returns the value of a column of a row, as a field of ``parameters``. Nil if the row does not
  /// exist.
  func storedField(_ column: Int, ofRow rowID: Int64, of schema: ObjectSchema) throws -> Field?

  /// Returns whether a row exists in the database.
  func hasRow(_ rowID: Int64, of schema: ObjectSchema) throws -> Bool

  /// Returns the number of rows that refer to a row through a relationship.
  func countOwners(
    of target: Int64, along property: PropertySchema, of schema: ObjectSchema
  ) throws -> Int

  /// Fetches the join rows of collections, without the rows of their members. The owners are in
  /// ascending order, and each owner appears once in a fetch. The join rows of an owner are
  /// consecutive and in the order of the collection. The result is empty if a table is missing.
  ///
  /// - Parameters:
  ///   - links: receives the join rows.
  ///   - isWanted: returns whether the join rows of an owner are read. Called once for each owner,
  ///     before its join rows.
  func fetch(
    _ plan: LinkPlan, of schema: ObjectSchema, into links: inout FetchedLinks,
    isWanted: (Int64) -> Bool
  ) throws

  /// Fetches members of one owner's collection with their rows. The result is empty if a table is
  /// missing.
  ///
  /// A member that occurs several times is one row.
  ///
  /// - Parameters:
  ///   - target: the type of the members.
  ///   - list: receives the members with their rows, positions and keys.
  ///   - use: decides what to do with a member of a list. Called for each member in order, before
  ///     its row is read. Nil to take all members.
  /// - Returns: the rows.
  func fetch(
    _ plan: MemberPlan, of owner: Int64, in collection: Int, of schema: ObjectSchema,
    target: ObjectSchema, graph: RowGraph?, into list: LinkList,
    use: (ListEntry) -> ListEntryUse
  ) throws -> FetchedMemberRows

  /// Returns the number of members of an owner's collection. The number is 0 if the owner does not
  /// exist.
  func countMembers(of owner: Int64, in collection: Int, of schema: ObjectSchema) throws -> Int

  /// Returns whether an owner's collection contains a member.
  func hasMember(
    _ target: Int64, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Bool

  /// Returns the member of a key in an owner's dictionary. Nil if it has no such key. Keys are
  /// compared by their stored forms.
  ///
  /// - Parameter key: a list with one key.
  /// - Throws: `MagicError` with `.cannotEncode` for a key that cannot be stored.
  func member(
    forKey key: any LinkKeys, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int64?

  /// Returns whether an owner's list has a member at a position.
  func hasMember(
    _ entry: ListEntry, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Bool

  /// Returns the position of a member in an owner's list that is nearest to the given position. Nil
  /// if the list does not contain the member.
  func nearestPosition(
    to entry: ListEntry, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int64?
}

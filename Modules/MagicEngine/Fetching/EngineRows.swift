package import MagicSchema

/// Reads rows of types and members of collections.
///
/// A type that may not be stored, or that refers to such a type, is refused by each read, also where it has
/// no table: `ObjectSchema.reach` throws.
package protocol EngineRows: AnyObject {
  /// The values that a fetch is given; empty between fetches.
  var parameters: FieldBuffer { get }

  /// Whether the type has a table.
  ///
  /// - Throws: ``MigrationRequired`` where the table is outdated.
  func hasTable(of schema: ObjectSchema) throws -> Bool

  /// Packs rows of a type; none where the type has no table.
  ///
  /// A query may give a row several times. Where these follow each other, they are one packed row.
  ///
  /// - Parameters:
  ///   - graph: what the rows become a part of, where their type can refer back to itself.
  ///   - isWanted: which of the rows are packed, by their row IDs; nil for all of them.
  /// - Throws: `MagicError` with `.cannotDecode` for a value that is none of its property.
  func fetch(
    _ plan: FetchPlan, of schema: ObjectSchema, graph: RowGraph?, isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows

  /// Whether a row has the primary that is the first of ``parameters``.
  func hasRowWithPrimary(of schema: ObjectSchema) throws -> Bool

  /// What a column of a row holds, as a field of ``parameters``; nil where there is no such row.
  func storedField(_ column: Int, ofRow rowID: Int64, of schema: ObjectSchema) throws -> Field?

  /// Whether a row is in the database.
  func hasRow(_ rowID: Int64, of schema: ObjectSchema) throws -> Bool

  /// How many rows refer to a row along a relationship.
  func countOwners(
    of target: Int64, along property: PropertySchema, of schema: ObjectSchema
  ) throws -> Int

  /// Reads the join rows of collections, without the rows of their members. The owners come in
  /// ascending order, each once in a fetch; the join rows of an owner follow each other, in the order of
  /// the collection. None are read where a table is missing.
  ///
  /// - Parameters:
  ///   - links: where the join rows go.
  ///   - isWanted: asked once for each owner, before its join rows are read.
  func fetch(
    _ plan: LinkPlan, of schema: ObjectSchema, into links: inout FetchedLinks,
    isWanted: (Int64) -> Bool
  ) throws

  /// Reads members of one owner's collection with their rows; none where a table is missing.
  ///
  /// A member that is there several times is one row.
  ///
  /// - Parameters:
  ///   - target: the members' type.
  ///   - list: where the members go, with their rows, positions and keys.
  ///   - use: what to do with a member of a list, asked for each one in their order before its row is
  ///     looked at; nil to take all.
  /// - Returns: the rows.
  func fetch(
    _ plan: MemberPlan, of owner: Int64, in collection: Int, of schema: ObjectSchema,
    target: ObjectSchema, graph: RowGraph?, into list: LinkList,
    use: ((ListPlace) -> ListPlaceUse)?
  ) throws -> FetchedMemberRows

  /// How many members an owner's collection has; none where there is no such row.
  func countMembers(of owner: Int64, in collection: Int, of schema: ObjectSchema) throws -> Int

  /// Whether an owner's list has a member at a position.
  func hasMember(
    _ place: ListPlace, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Bool

  /// Of the places of a member in an owner's list, the position that is nearest to a place; nil where
  /// there is none.
  func nearestPosition(
    to place: ListPlace, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int64?
}

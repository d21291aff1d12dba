import MagicSQLite
import MagicSchema
import SQLiteTables

/// Finds the relationship that a transaction violates, before the commit fails with an error that
/// does not name it.
struct Violations {
  let connection: SQLiteConnection
  let owners: TableOwners
  let relationships: [Relationship]
  /// The rows that the transaction has deleted, with their tables, as far as they are known.
  let removed: [(table: String, zIndex: Int64)]

  /// - Throws: `MagicError` with `.stillReferenced`, which names the owner's type.
  func throwFirst() throws {
    for row in removed {
      for relationship in relationships where referenced(relationship) == row.table {
        let statement = try connection.cachedStatement(
          "SELECT \(owner(relationship)) FROM \(table(relationship)) "
            + "WHERE \(target(relationship)) = ? LIMIT 1")
        defer { statement.reset() }
        try statement.bind(row.zIndex, at: 1)
        if try statement.step() { throw try makeError(relationship, statement.column(0).integer) }
      }
    }
    for relationship in relationships {
      let statement = try connection.prepare(
        """
        SELECT \(owner(relationship)) FROM \(table(relationship)) AS link \
        WHERE link.\(target(relationship)) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \
        \(referenced(relationship).quoted) AS target \
        WHERE target."z_index" = link.\(target(relationship))) LIMIT 1
        """)
      defer { statement.reset() }
      if try statement.step() { throw try makeError(relationship, statement.column(0).integer) }
    }
    throw MagicError(
      .constraint, "Foreign key constraint failed: a row refers to a row that does not exist.")
  }

  /// Returns the name of the property if the process has the type; else the name of the column or
  /// collection.
  private func property(of relationship: Relationship) -> String {
    owners.owner(of: relationship.owner)?.property(storedAs: relationship.column)
      ?? relationship.column
  }

  private func table(_ relationship: Relationship) -> String {
    (relationship.ownedColumns?.table ?? relationship.linkTable ?? relationship.owner).quoted
  }

  /// The column with the row that is named in the error.
  private func owner(_ relationship: Relationship) -> String {
    relationship.linkTable == nil ? "\"z_index\"" : "\"owner\""
  }

  /// The column with the foreign key.
  private func target(_ relationship: Relationship) -> String {
    if let owned = relationship.ownedColumns { return owned.owner.quoted }
    return relationship.linkTable == nil ? relationship.column.quoted : "\"target\""
  }

  /// The table that the foreign key refers to. The members of an owned list refer to their owner.
  private func referenced(_ relationship: Relationship) -> String {
    relationship.isOwned ? relationship.owner : relationship.target
  }

  private func makeError(_ relationship: Relationship, _ owner: Int64) throws -> MagicError {
    let table = relationship.isOwned ? relationship.target : relationship.owner
    let type = try Catalogue(connection: connection).entry(for: table)?.typeName ?? table
    return MagicError(
      .stillReferenced,
      "The object cannot be removed: row \(owner) of \(table) still refers to it. "
        + "Nothing was removed.",
      type: type, property: relationship.isOwned ? nil : property(of: relationship))
  }
}

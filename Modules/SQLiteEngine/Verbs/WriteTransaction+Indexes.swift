import MagicEngine
package import MagicSchema
import MagicSQLite
import SQLiteTables

/// The indexes that are created after many rows were inserted into tables without rows. SQLite then sorts
/// the entries of each index once, which takes less than half of the time of inserting each at its place.
struct PostponedIndexes {
  /// The SQL of the indexes, in the order of their creation.
  fileprivate(set) var statements: [String] = []
  /// The tables of types without their indexes, by their IDs in ``RowIDSequences``.
  fileprivate(set) var tables: Set<Int> = []
}

extension WriteTransaction {
  package var postponingMinimum: Int { store.postponingMinimum }

  /// Removes the indexes of the tables without rows while the body runs. They are created again after it,
  /// or before a statement that needs them.
  ///
  /// An index of a to-one remains: SQLite finds rows with it that refer to a row that is inserted later.
  ///
  /// - Returns: false if no table has such an index, so that the body has not run, or if an error has
  ///   rolled back what it did, which may be caused by the missing indexes.
  package func postponingIndexes(of schemas: [ObjectSchema], _ body: () throws -> Void) throws
    -> Bool
  {
    guard postponed == nil, !store.connection.hasViolations else { return false }
    let found = try translatingErrors { try removableIndexes(of: schemas) }
    guard !found.indexes.isEmpty else { return false }
    defer { postponed = nil }
    do {
      try nested(isOneRow: false) {
        var postponed = PostponedIndexes(tables: found.tables)
        for index in found.indexes {
          try store.connection.execute("DROP INDEX \(index.name.quoted)")
          postponed.statements.append(index.sql)
        }
        self.postponed = postponed
        changesIndexes = true
        try body()
        try createPostponedIndexes()
      }
      return true
    } catch let error as MagicError {
      switch error.code {
      // Two rows have the same value, of which one may replace the other.
      case .notUnique, .constraint: return false
      // A read that the caller has not ended prevents the removal of an index, and a foreign key of
      // another program needs one.
      case .busy, .database: return false
      default: throw error
      }
    }
  }

  private func removableIndexes(
    of schemas: [ObjectSchema]
  ) throws -> (indexes: [TableIndex], tables: Set<Int>) {
    let catalogue = Catalogue(connection: store.connection)
    var (indexes, tables) = ([TableIndex](), Set<Int>())
    for schema in schemas where store.hasStatements(of: schema) {
      guard try catalogue.isEmpty(schema.tableName) else { continue }
      let toOnes = Set(schema.toOnes.map { schema.columns[$0.column].name.folded })
      tables.insert(store.rowIDs.table(of: schema))
      indexes += try catalogue.indexes(of: schema.tableName).filter {
        !toOnes.contains($0.firstColumn.folded)
      }
      for collection in schema.collections where !collection.isOwned && collection.through == nil {
        let table = LinkTable(owner: schema, column: collection).name
        if try catalogue.isEmpty(table) { indexes += try catalogue.indexes(of: table) }
      }
    }
    return (indexes, tables)
  }

  /// Creates the indexes that were postponed, if there are any.
  ///
  /// - Throws: `MagicError` with `.notUnique` if two rows have the same value in a unique index.
  func createPostponedIndexes() throws {
    guard let statements = postponed?.statements, !statements.isEmpty else { return }
    postponed = PostponedIndexes()
    try translatingErrors {
      for sql in statements { try store.connection.execute(sql) }
    }
  }

  /// Whether the rows of a type are inserted without indexes. Creates the indexes before that if a row
  /// refers to one that is not inserted yet.
  func insertsWithoutIndexes(_ group: RowChanges) throws -> Bool {
    guard let postponed, postponed.tables.contains(store.rowIDs.table(of: group.schema)) else {
      return false
    }
    guard group.list == nil, !store.connection.hasViolations else {
      try createPostponedIndexes()
      return false
    }
    return true
  }
}

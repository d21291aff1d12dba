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
  /// - Returns: false if no table has such an index, so that the body has not run, or if an error has
  ///   rolled back what it did, which may be caused by the missing indexes.
  package func postponingIndexes(
    of schemas: [ObjectSchema], _ body: () throws -> Void
  ) throws -> Bool {
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
        try store.hook?.didChangeIndexes()
      }
      return true
    } catch let error as MagicError where store.connection.isInTransaction {
      guard Self.mayNeedIndexes(error) else { throw error }
      return false
    }
  }

  /// Whether an error may not occur if the indexes exist.
  private static func mayNeedIndexes(_ error: MagicError) -> Bool {
    switch error.code {
    // Two rows have the same value, of which one may replace the other.
    case .notUnique, .constraint: true
    // A read that the caller has not ended prevents the removal of an index. The entries are sorted in
    // memory.
    case .busy, .outOfMemory: true
    // A foreign key of another program needs an index.
    case .database: (error.cause as? SQLiteError)?.code == .error
    default: false
    }
  }

  /// Returns the indexes of tables without rows that no statement of a save reads, and the IDs of these
  /// tables. Statistics of an index would be lost with it.
  ///
  /// The indexes of to-ones and of owned lists remain. SQLite finds rows with the first ones, and with
  /// those of join tables, that refer to a row which is inserted later.
  private func removableIndexes(
    of schemas: [ObjectSchema]
  ) throws -> (indexes: [TableIndex], tables: Set<Int>) {
    let catalogue = Catalogue(connection: store.connection)
    let owners = Set(try catalogue.relationships().compactMap(\.ownedColumns).map(\.owner.folded))
    let mayReferAhead = try schemas.contains { try $0.mayReferAhead }
    var (indexes, tables) = ([TableIndex](), Set<Int>())
    for schema in schemas where store.hasStatements(of: schema) {
      let table = store.rowIDs.table(of: schema)
      guard !tables.contains(table), try catalogue.isEmpty(schema.tableName) else { continue }
      tables.insert(table)
      let kept = owners.union(schema.toOnes.map { schema.columns[$0.column].name.folded })
      indexes += try catalogue.indexes(of: schema.tableName).filter {
        !kept.contains($0.firstColumn.folded)
      }
      guard !mayReferAhead else { continue }
      for collection in schema.collections where !collection.isOwned && collection.through == nil {
        let table = LinkTable(owner: schema, column: collection).name
        if try catalogue.isEmpty(table) { indexes += try catalogue.indexes(of: table) }
      }
    }
    let analyzed = try catalogue.analyzedIndexes()
    guard indexes.allSatisfy({ !analyzed.contains($0.name) }) else { return ([], []) }
    return (indexes, tables)
  }

  /// Creates the indexes that were postponed, if there are any.
  ///
  /// - Throws: `MagicError` with `.notUnique` if two rows have the same value in a unique index.
  func createPostponedIndexes() throws {
    guard let statements = postponed?.statements, !statements.isEmpty else { return }
    postponed = PostponedIndexes()
    for sql in statements {
      try Task.checkCancellation()
      try translatingErrors { try store.connection.execute(sql) }
    }
  }

  /// Whether the rows of a type are inserted without indexes. Creates all indexes before if a row refers to
  /// one that does not exist: SQLite would look for such rows with each insert.
  func insertsWithoutIndexes(_ group: RowChanges) throws -> Bool {
    guard let postponed, !postponed.statements.isEmpty else { return false }
    guard !store.connection.hasViolations else {
      try createPostponedIndexes()
      return false
    }
    return group.list == nil && postponed.tables.contains(store.rowIDs.table(of: group.schema))
  }
}

extension ObjectSchema {
  /// Whether a row may refer to one that is inserted later, because the target of a to-one reaches this type.
  fileprivate var mayReferAhead: Bool {
    get throws {
      try toOnes.contains { toOne in
        try ObjectSchema.reached(from: [toOne.schema.target]).contains { $0 === self }
      }
    }
  }
}

package import MagicEngine
import MagicSQLite
package import MagicSchema
import Magical
package import SQLiteFiles
import SQLiteSearch
import SQLiteTables

/// One write transaction of a database.
///
/// Only one thread uses it at a time, and some properties are used for every column of a row.
/// Dynamic exclusivity checks are therefore disabled: they would take a tenth of the time of a
/// save.
package final class WriteTransaction {
  package let store: StoreConnection
  /// The last auto-increment value of each primary property, by table ID.
  @exclusivity(unchecked) var primaries: [Int: (schema: ObjectSchema, last: Int64)] = [:]
  /// The row ID that SQLite would give to the next row of the table that was read last; 0 if the
  /// table has used higher row IDs before.
  @exclusivity(unchecked) var nextInTable: (rowID: Int64, table: Int32) = (0, -1)
  /// The last row ID that was reserved ahead in each table; few entries.
  @exclusivity(unchecked) private var reservedAhead: [(table: Int, rowID: Int64)] = []
  @exclusivity(unchecked) private var createdTables: [ObjectSchema] = []
  /// For the ordinal of each type, whether the last new object had the primary value of an existing
  /// row.
  @exclusivity(unchecked) private var findsRows: [Bool] = []
  @exclusivity(unchecked) private var cachedCascade: Cascade?
  /// The files that the transaction has written.
  @exclusivity(unchecked) package var staged = StagedFiles()
  /// Migrates tables by a plan of this transaction; nil without a plan.
  @exclusivity(unchecked) package var plannedMigrator: (any TableMigrator)?
  /// Whether outdated tables are migrated in a separate transaction, because the other writes of
  /// the same commit should not wait for a migration.
  @exclusivity(unchecked) package var defersMigrations = false
  /// The changes that the commit hook has recorded; set after the body has run.
  @exclusivity(unchecked) package var recorded = RecordedBody()
  /// The rows that were deleted one by one.
  @exclusivity(unchecked) var removed: [(table: String, zIndex: Int64)] = []

  /// The members of owned lists whose places were inserted with them.
  @exclusivity(unchecked) var placed = PlacedMembers()
  /// Whether a save has found that members of owned lists have no rows.
  @exclusivity(unchecked) var missesMembers = false

  /// The indexes that are created after the rows of the current save; nil if none were removed.
  @exclusivity(unchecked) var postponed: PostponedIndexes?
  /// Whether the transaction has removed indexes and created them again.
  @exclusivity(unchecked) var changesIndexes = false

  /// Takes part in the outcome of the transaction.
  @exclusivity(unchecked) package var participant: (any TransactionParticipant)?

  package init(store: StoreConnection) {
    self.store = store
  }

  private var migrator: any TableMigrator { plannedMigrator ?? store.migrator }

  /// Returns the statements of a type. Its table is created or migrated if necessary.
  func statements(of schema: ObjectSchema) throws -> TypeStatements {
    switch try store.table(of: schema) {
    case .current(let known): return known
    case .outdated where defersMigrations: throw MigrationRequired(schema)
    case .outdated, .missing:
      return try translatingErrors(schema) {
        try inSavepoint { try createOrMigrateTable(of: schema) }
      }
    }
  }

  /// Changes tables in several statements; an error rolls all of them back.
  private func inSavepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let (createdCount, stagedCount) = (createdTables.count, staged.count)
    do {
      return try store.connection.savepoint(body)
    } catch {
      forgetTables(after: createdCount)
      store.searchIndexes.noteSchemaChange()
      discardFiles(after: stagedCount)
      store.hook?.didRollBackSavepoint()
      throw error
    }
  }

  /// Forgets the created tables after the first `count`, because they were rolled back.
  private func forgetTables(after count: Int) {
    cachedCascade = nil
    for schema in createdTables[count...] { store.forget(schema) }
    createdTables.removeSubrange(count...)
  }

  /// Creates or migrates a type's table if necessary.
  package func updateTable(of schema: ObjectSchema) throws {
    _ = try statements(of: schema)
  }

  /// Migrates the tables of types, for those types that have one, and the format of the file.
  package func updateTables(of schemas: [ObjectSchema]) throws {
    store.searchIndexes.noteSchemaChange()
    let catalogue = Catalogue(connection: store.connection)
    try translatingErrors {
      try inSavepoint {
        if try catalogue.exists("magic_catalogue") { try catalogue.create() }
        try migrator.renameTables(reachedFrom: schemas, in: self)
      }
    }
    for schema in schemas where try catalogue.exists(schema.tableName) {
      _ = try statements(of: schema)
      try translatingErrors(schema) { try catalogue.updateProperties(of: schema) }
    }
    try requireEntries(of: schemas, catalogue)
    try translatingErrors { try store.searchIndexes.update(of: schemas) }
  }

  /// Checks that the catalogue has the new schema of each type. A read of a table without an entry
  /// would migrate it again, without end.
  ///
  /// - Throws: `MagicError` with `.corrupt` if an entry was not stored.
  private func requireEntries(of schemas: [ObjectSchema], _ catalogue: Catalogue) throws {
    for schema in schemas where try catalogue.exists(schema.tableName) {
      guard try catalogue.entry(for: schema.tableName)?.fingerprint == schema.fingerprint else {
        throw MagicError(
          .corrupt, "The catalogue lacks the entry that was just written for the type.",
          type: schema.typeName)
      }
    }
  }

  private func createOrMigrateTable(of schema: ObjectSchema) throws -> TypeStatements {
    let catalogue = Catalogue(connection: store.connection)
    _ = try schema.reach
    store.noteUnreportedChanges()
    try catalogue.checkNames(of: schema)
    createdTables.append(schema)
    cachedCascade = nil
    try catalogue.create()
    if !schema.fileColumns.isEmpty {
      try AssetTable(connection: store.connection).create()
      store.files.noteTableChange()
    }
    try migrator.renameTables(reachedFrom: [schema], in: self)
    if try catalogue.exists(schema.tableName) {
      let members = try TableSQL(schema: schema).links.compactMap { try $0.owned?.table }
      try willAlter(tables: [schema.tableName] + members)
      // SQL of a migration step may use the tables that the type refers to, and the migration of an
      // owned list changes the table of its members.
      if !schema.migrations.steps.isEmpty || schema.collections.contains(where: \.isOwned) {
        for target in try schema.targets where try !catalogue.exists(target.tableName) {
          _ = try statements(of: target)
        }
      }
      try migrator.migrateTable(of: schema, in: self)
    } else {
      for step in try TableSQL(schema: schema).createAll() { try store.connection.execute(step) }
    }
    try catalogue.enter(schema)
    let statements = try TypeStatements(schema: schema, connection: store.connection)
    store.keep(statements)
    // A foreign key requires the table that it refers to.
    for target in try schema.targets { _ = try self.statements(of: target) }
    try addOwnedColumns(of: schema, catalogue)
    try store.hook?.didAlterTables(tables(of: schema.tableName, catalogue))
    return statements
  }

  /// Adds the columns of owned lists to the tables of the members.
  private func addOwnedColumns(of schema: ObjectSchema, _ catalogue: Catalogue) throws {
    for list in try TableSQL(schema: schema).links.compactMap({ try $0.owned })
    where try !catalogue.hasColumns(list) {
      try willAlter(tables: [list.table])
      for statement in list.addColumns + list.createIndex {
        try store.connection.execute(statement)
      }
      try didAlter(tables: [list.table])
    }
  }

  /// Returns the folded names of a type's table and its join tables, and of the tables with the
  /// members of its owned lists.
  func tables(of table: String, _ catalogue: Catalogue) throws -> Set<String> {
    let own = try catalogue.relationships().filter { $0.owner.isName(table) }
    let owned = own.compactMap(\.ownedColumns)
    return Set(
      ([table] + own.compactMap(\.linkTable) + owned.map(\.table) + owned.map(\.name))
        .map(\.folded))
  }

  /// Whether the last new object of a type had the primary value of an existing row. The next one
  /// is then likely to have one too.
  func findsRow(_ schema: ObjectSchema) -> Bool {
    schema.ordinal < findsRows.count && findsRows[schema.ordinal]
  }

  func note(findsRow: Bool, _ schema: ObjectSchema) {
    guard findsRow != self.findsRow(schema) else { return }
    while findsRows.count <= schema.ordinal { findsRows.append(false) }
    findsRows[schema.ordinal] = findsRow
  }

  /// Returns the next auto-increment value of a primary property.
  package func nextPrimary(of schema: ObjectSchema, column: ColumnSchema) throws -> Int {
    let table = store.rowIDs.table(of: schema)
    let last =
      try primaries[table]?.last
      ?? Catalogue(connection: store.connection).highestPrimary(of: schema, column: column)
    guard let next = Int(exactly: last), next < Int.max else {
      throw MagicError(
        .idsExhausted, "The auto-increment value of the primary property has reached its maximum.",
        type: schema.typeName, property: column.property)
    }
    primaries[table] = (schema, Int64(next) + 1)
    return next + 1
  }

  /// Returns the last row ID that was reserved ahead in a table.
  func lastAhead(inTable table: Int) -> Int64? {
    reservedAhead.last { $0.table == table }?.rowID
  }

  func noteAhead(_ rowID: Int64, inTable table: Int) {
    reservedAhead.removeAll { $0.table == table }
    reservedAhead.append((table, rowID))
  }

  /// Raises the auto-increment value to a primary value that the user has chosen. If the value was
  /// not read yet, there is nothing to raise: the read includes the new value.
  func notePrimary(_ value: Int64, of schema: ObjectSchema) {
    let table = store.rowIDs.table(of: schema)
    guard !schema.hasRowIDPrimary else { return store.rowIDs.raise(to: value, ofTable: table) }
    guard let known = primaries[table], value > known.last else { return }
    primaries[table] = (schema, value)
  }

  /// The user's SQL is about to alter a table.
  package func willAlterTableByUserSQL() throws { try store.hook?.willAlterTableByUserSQL() }

  /// The user's SQL may have created a trigger.
  ///
  /// - Throws: `MagicError` with `.untrustedSchema` if no save could run the trigger.
  package func checkTriggersAreTrusted() throws {
    try translatingErrors { try Catalogue(connection: store.connection).checkTriggersAreTrusted() }
  }

  /// The user's SQL has written: everything that was read about the tables' rows must be read
  /// again.
  package func didRunUserSQL() throws {
    store.searchIndexes.noteSchemaChange()
    store.rowIDs.removeAll()
    try store.hook?.didRunUserSQL()
    // Values that were assigned are not assigned again, even if their rows were deleted.
    try writePrimaries()
    primaries = [:]
    cachedCascade = nil
  }

  /// Returns the cascades of deleted rows.
  func cascade() throws -> Cascade {
    if let cachedCascade { return cachedCascade }
    let cascade = Cascade(
      try Catalogue(connection: store.connection).relationships(), connection: store.connection)
    cachedCascade = cascade
    return cascade
  }

  /// Stores what must outlive the transaction. Called last before the commit.
  ///
  /// - Throws: `MagicError` with `.stillReferenced` if a relationship still refers to a deleted
  ///   object.
  package func prepareCommit() throws {
    if store.connection.hasViolations {
      try Violations(
        connection: store.connection, owners: store.owners,
        relationships: Catalogue(connection: store.connection).relationships(), removed: removed
      ).throwFirst()
    }
    try writePrimaries()
  }

  private func writePrimaries() throws {
    for (schema, last) in primaries.values {
      try Catalogue(connection: store.connection).setHighestPrimary(last, of: schema)
    }
  }

  /// Runs a part of the transaction. If the part throws, only the part is rolled back.
  ///
  /// - Parameter isOneRow: whether the part is a single statement, which SQLite rolls back by
  ///   itself.
  package func nested<Result>(isOneRow: Bool, _ body: () throws -> Result) throws -> Result {
    try requireOpen()
    let primaries = primaries
    let (removedCount, createdCount) = (removed.count, createdTables.count)
    let stagedCount = staged.count
    do {
      return try translatingErrors {
        isOneRow ? try body() : try store.connection.savepoint(body)
      }
    } catch {
      self.primaries = primaries
      placed.removeAll()
      removed.removeSubrange(removedCount...)
      store.searchIndexes.noteSchemaChange()
      if isOneRow { removeFileEntries(after: stagedCount) }
      discardFiles(after: stagedCount)
      cachedCascade = nil
      // A table that was created for a single row is kept.
      if !isOneRow { forgetTables(after: createdCount) }
      // The last row IDs must be read from the file again.
      store.rowIDs.removeAll()
      if !isOneRow { store.hook?.didRollBackSavepoint() }
      throw error
    }
  }

  /// Throws if SQLite has rolled back the transaction, as it does after some errors, for example a
  /// full disk.
  package func requireOpen() throws {
    guard store.connection.isInTransaction else {
      throw MagicError.rolledBack(by: store.connection.rollbackCause)
    }
  }

  /// Runs a read that includes the transaction's writes. Outdated tables are migrated.
  package func reading<Result>(_ body: (StoreConnection) throws -> Result) throws -> Result {
    try requireOpen()
    return try retryingAfterMigration {
      try translatingErrors { try body(store) }
    } migrate: {
      try updateTable(of: $0)
    }
  }

  package func didCommit() {
    noteFiles()
    if !createdTables.isEmpty || changesIndexes { store.recordSchemaVersion() }
    participant?.didCommit()
    participant = nil
  }

  /// - Parameter isCertain: false after a commit that failed. If the process ends now, recovery may
  ///   still apply what the log contains of it.
  package func didRollBack(isCertain: Bool = true) {
    participant?.didRollBack()
    participant = nil
    discardFiles(isCertain: isCertain)
    for schema in createdTables { store.forget(schema) }
  }
}

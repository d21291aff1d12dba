package import MagicEngine
import MagicSQLite
package import MagicSchema
import Magical
package import SQLiteFiles
import SQLiteTables

/// One write transaction of a store.
///
/// Used by one thread at a time, and some properties for every column of a row. So they need no check of
/// exclusive access at run time, which would be a tenth of a save.
package final class WriteTransaction {
  package let store: StoreConnection
  /// How far primaries are counted, by the numbers of tables.
  @exclusivity(unchecked) var primaries: [Int: (schema: ObjectSchema, last: Int64)] = [:]
  /// The row ID that SQLite gives the next row of the table that was read last; 0 where the table has
  /// given out higher ones.
  @exclusivity(unchecked) var nextInTable: (rowID: Int64, table: Int32) = (0, -1)
  /// The last row ID that was reserved ahead, by the numbers of tables; few.
  @exclusivity(unchecked) private var reservedAhead: [(table: Int, rowID: Int64)] = []
  @exclusivity(unchecked) private var madeTables: [ObjectSchema] = []
  /// The types of which the last new object had the primary of a row.
  @exclusivity(unchecked) private var findsRows: [Bool] = []
  @exclusivity(unchecked) private var knownCascade: Cascade?
  /// The files that were written.
  @exclusivity(unchecked) package var staged = StagedFiles()
  /// What migrates tables by a plan of this transaction; nil where it has none.
  @exclusivity(unchecked) package var plannedMigrator: (any TableMigrator)?
  /// Whether an outdated table is left to a transaction of its own: migrating it takes longer than
  /// the other writes of this one's commit should wait.
  @exclusivity(unchecked) package var leavesMigrations = false
  /// What the commit hook has recorded of it; known once its body has run.
  @exclusivity(unchecked) package var recorded = RecordedBody()
  /// The rows that were removed one by one.
  @exclusivity(unchecked) var removed: [(table: String, zIndex: Int64)] = []

  /// What takes part in the outcome.
  @exclusivity(unchecked) package var participant: (any TransactionParticipant)?

  package init(store: StoreConnection) {
    self.store = store
  }

  private var migrator: any TableMigrator { plannedMigrator ?? store.migrator }

  /// The statements of a type, its table created or migrated where needed.
  func statements(of schema: ObjectSchema) throws -> TypeStatements {
    switch try store.table(of: schema) {
    case .current(let known): return known
    case .outdated where leavesMigrations: throw MigrationRequired(schema)
    case .outdated, .missing:
      return try mapping(schema) { try inSavepoint { try createOrMigrateTable(of: schema) } }
    }
  }

  /// Changes tables in several statements, of which nothing stays where one throws.
  private func inSavepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let (madeCount, stagedCount) = (madeTables.count, staged.count)
    do {
      return try store.connection.savepoint(body)
    } catch {
      forgetTables(after: madeCount)
      discardFiles(after: stagedCount)
      store.hook?.didRollBackPart()
      throw error
    }
  }

  /// The tables made since then were rolled back.
  private func forgetTables(after count: Int) {
    knownCascade = nil
    for schema in madeTables[count...] { store.forget(schema) }
    madeTables.removeSubrange(count...)
  }

  /// Creates or migrates a type's table where needed.
  package func updateTable(of schema: ObjectSchema) throws {
    _ = try statements(of: schema)
  }

  /// Migrates the tables of types, of those that have one.
  package func updateTables(of schemas: [ObjectSchema]) throws {
    let catalogue = Catalogue(connection: store.connection)
    try mapping {
      try inSavepoint { try migrator.renameTables(reachedFrom: schemas, in: self) }
    }
    for schema in schemas where try catalogue.exists(schema.tableName) {
      _ = try statements(of: schema)
    }
    try requireEntries(of: schemas, catalogue)
  }

  /// A read of a table that is not entered would migrate it again, without end.
  ///
  /// - Throws: `MagicError` with `.corrupt` where the file does not keep what was entered.
  private func requireEntries(of schemas: [ObjectSchema], _ catalogue: Catalogue) throws {
    for schema in schemas where try catalogue.exists(schema.tableName) {
      guard try catalogue.entry(for: schema.tableName)?.fingerprint == schema.fingerprint else {
        throw MagicError(
          .corrupt, "The file's catalogue does not keep what is entered in it.",
          type: schema.typeName)
      }
    }
  }

  private func createOrMigrateTable(of schema: ObjectSchema) throws -> TypeStatements {
    let catalogue = Catalogue(connection: store.connection)
    _ = try schema.reach
    try catalogue.refuseTakenNames(of: schema)
    madeTables.append(schema)
    knownCascade = nil
    try catalogue.create()
    if !schema.fileColumns.isEmpty {
      try AssetTable(connection: store.connection).create()
      store.files.noteTableChange()
    }
    try migrator.renameTables(reachedFrom: [schema], in: self)
    if try catalogue.exists(schema.tableName) {
      try willAlter(tables: [schema.tableName])
      // SQL of a step may want what the type refers to.
      if !schema.migrations.steps.isEmpty {
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
    // A foreign key needs the table it refers to.
    for target in try schema.targets { _ = try self.statements(of: target) }
    try store.hook?.didAlterTables(tables(of: schema.tableName, catalogue))
    return statements
  }

  /// A type's table and those of its links, by their folded names.
  func tables(of table: String, _ catalogue: Catalogue) throws -> Set<String> {
    let links = try catalogue.relationships()
      .filter { $0.owner.isName(table) }.compactMap(\.linkTable)
    return Set(([table] + links).map(\.folded))
  }

  /// Whether the last new object of a type had the primary of a row, so that the next one is likely
  /// to have one too.
  func findsRow(_ schema: ObjectSchema) -> Bool {
    schema.ordinal < findsRows.count && findsRows[schema.ordinal]
  }

  func note(findsRow: Bool, _ schema: ObjectSchema) {
    guard findsRow != self.findsRow(schema) else { return }
    while findsRows.count <= schema.ordinal { findsRows.append(false) }
    findsRows[schema.ordinal] = findsRow
  }

  /// The next number for a primary that the database counts up.
  package func nextPrimary(of schema: ObjectSchema, column: ColumnSchema) throws -> Int {
    let table = store.rowIDs.table(of: schema)
    let last =
      try primaries[table]?.last
      ?? Catalogue(connection: store.connection).highestPrimary(of: schema, column: column)
    guard let next = Int(exactly: last), next < Int.max else {
      throw MagicError(
        .idsExhausted, "The primary has reached its last number.", type: schema.typeName,
        property: column.property)
    }
    primaries[table] = (schema, Int64(next) + 1)
    return next + 1
  }

  /// The last row ID of a table that was reserved ahead.
  func lastAhead(inTable table: Int) -> Int64? {
    reservedAhead.last { $0.table == table }?.rowID
  }

  func noteAhead(_ rowID: Int64, inTable table: Int) {
    reservedAhead.removeAll { $0.table == table }
    reservedAhead.append((table, rowID))
  }

  /// A primary value that the user chose moves the count forward. Before the count was read there
  /// is nothing to move: reading it will see the value.
  func notePrimary(_ value: Int64, of schema: ObjectSchema) {
    let table = store.rowIDs.table(of: schema)
    guard let known = primaries[table], value > known.last else { return }
    primaries[table] = (schema, value)
  }

  /// SQL of the user's is about to alter a table.
  package func prepareForForeignAlteration() throws { try store.hook?.willAlterTableByUserSQL() }

  /// SQL of a user's has made a trigger.
  ///
  /// - Throws: `MagicError` with `.untrustedSchema` where no save could run it.
  package func refuseUntrustedTriggers() throws {
    try mapping { try Catalogue(connection: store.connection).refuseUntrustedTriggers() }
  }

  /// SQL of the user's has written: what is known of the tables' rows must be read again.
  package func noteForeignChanges() throws {
    store.rowIDs.removeAll()
    try store.hook?.didRunUserSQL()
    // Numbers that were given out are not given out again, whatever became of their rows.
    try writePrimaries()
    primaries = [:]
    knownCascade = nil
  }

  /// What goes with removed rows.
  func cascade() throws -> Cascade {
    if let knownCascade { return knownCascade }
    let cascade = Cascade(
      try Catalogue(connection: store.connection).relationships(), connection: store.connection)
    knownCascade = cascade
    return cascade
  }

  /// Writes down what must outlive the transaction; the last thing before its commit.
  ///
  /// - Throws: `MagicError` with `.stillReferenced` where a relationship is left that refers to a
  ///   removed object.
  package func prepareCommit() throws {
    if store.connection.hasViolations {
      try Violations(
        connection: store.connection, owners: store.owners,
        relationships: Catalogue(connection: store.connection).relationships(), removed: removed
      ).refuse()
    }
    try writePrimaries()
  }

  private func writePrimaries() throws {
    for (schema, last) in primaries.values {
      try Catalogue(connection: store.connection).setHighestPrimary(last, of: schema)
    }
  }

  /// Runs a part of the transaction of which nothing stays where it throws.
  ///
  /// - Parameter isOneRow: whether it is one statement, which SQLite takes back by itself.
  package func nested<Result>(isOneRow: Bool, _ body: () throws -> Result) throws -> Result {
    try requireOpen()
    let primaries = primaries
    let (removedCount, madeCount) = (removed.count, madeTables.count)
    let stagedCount = staged.count
    do {
      return try mapping {
        isOneRow ? try body() : try store.connection.savepoint(body)
      }
    } catch {
      self.primaries = primaries
      removed.removeSubrange(removedCount...)
      if isOneRow { withdrawFiles(after: stagedCount) }
      discardFiles(after: stagedCount)
      knownCascade = nil
      // A table that one row was to go into stays.
      if !isOneRow { forgetTables(after: madeCount) }
      // Which z-indexes the file has given out must be asked again.
      store.rowIDs.removeAll()
      if !isOneRow { store.hook?.didRollBackPart() }
      throw error
    }
  }

  /// After some errors, as of a full disk, SQLite rolls everything back by itself.
  package func requireOpen() throws {
    guard store.connection.isInTransaction else {
      throw MagicError.rolledBack(by: store.connection.rollbackCause)
    }
  }

  /// Runs a read that sees what was written. Outdated tables are migrated.
  package func reading<Result>(_ body: (StoreConnection) throws -> Result) throws -> Result {
    try requireOpen()
    return try retryingAfterMigration {
      try mapping { try body(store) }
    } migrate: {
      try updateTable(of: $0)
    }
  }

  package func didCommit() {
    noteFiles()
    if !madeTables.isEmpty { store.noteShapes() }
    participant?.didCommit()
    participant = nil
  }

  /// - Parameter isCertain: false after a commit that failed: what the log has of it may come true,
  ///   should the process end now.
  package func didRollBack(isCertain: Bool = true) {
    participant?.didRollBack()
    participant = nil
    discardFiles(isCertain: isCertain)
    for schema in madeTables { store.forget(schema) }
  }
}

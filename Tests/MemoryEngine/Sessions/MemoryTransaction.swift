package import MagicEngine
package import MagicSchema

/// A write transaction: its changed tables, and the tables before it.
package final class MemoryTransaction: EngineTransaction {
  let database: MemoryDatabase
  let before: MemoryTables
  var tables: MemoryTables
  /// The changes to record for observers.
  let scope: RecordingScope
  package let changeset = Changeset()
  package var participant: (any TransactionParticipant)?
  /// The changes that were started and have not run.
  var started: Changeset?
  private var cachedReader: MemoryReader?

  init(_ database: MemoryDatabase, _ tables: MemoryTables) {
    self.database = database
    before = tables
    self.tables = tables
    self.tables.begin()
    let (filter, generation) = database.feed.recordingFilter()
    scope = RecordingScope(
      generation: generation, filter: filter.isEmpty ? nil : RecordingScope.Shared(filter))
  }

  package var reader: any EngineReader { memoryReader }

  var memoryReader: MemoryReader {
    if let cachedReader { return cachedReader }
    let reader = MemoryReader(database, in: self)
    cachedReader = reader
    return reader
  }

  package var token: StoreToken { database.token }

  package func makeLease() -> StoreLease? { database.makeLease() }

  /// Runs a part of the transaction. If it throws, the tables are restored from a copy.
  package func nested<Result>(isOneRow: Bool, _ body: () throws -> Result) throws -> Result {
    let before = tables
    do {
      return try body()
    } catch {
      started = nil
      tables = before
      throw error
    }
  }

  /// Does nothing, because a transaction is open until its body ends.
  package func requireOpen() {}

  /// Ends the transaction, and returns the tables to commit.
  ///
  /// - Throws: `MagicError` with `.database` for a caller that has not completed its changes, and with
  ///   `.stillReferenced` if a row refers to a row that does not exist.
  func end() throws -> MemoryTables {
    guard started == nil else { throw MagicError(.database, "Started changes were not completed.") }
    try tables.checkReferences()
    tables.end()
    return tables
  }

  // MARK: Tables

  package func hasCurrentTable(of schema: ObjectSchema) throws -> Bool {
    try tables.table(of: schema) != nil
  }

  package func updateTable(of schema: ObjectSchema) throws {
    guard schema.fileColumns.isEmpty else {
      throw MagicError(
        .invalidOption, "A database in memory cannot store assets.", type: schema.typeName,
        property: schema.columns[schema.fileColumns[0]].property)
    }
    try tables.create(schema)
  }

  /// False, because no triggers insert rows.
  package var reservesOneByOne: Bool { false }

  package func reserveRowID(of schema: ObjectSchema, isAhead: Bool) throws -> Int64 {
    try tables.change(schema) { table in
      guard table.lastRowID < Int64.max else {
        throw MagicError(
          .idsExhausted, "The table has used its highest row ID.", type: schema.typeName)
      }
      table.lastRowID += 1
      return table.lastRowID
    }
  }

  package func nextPrimary(of schema: ObjectSchema, column: ColumnSchema) throws -> Int {
    guard let primary = schema.primary else { return 0 }
    return try tables.change(schema) { try $0.nextPrimary(primary) }
  }

  package func rowID(
    with columns: [Int], at field: Int, in values: FieldBuffer, _ schema: ObjectSchema
  ) throws -> Int64? {
    let wanted = columns.indices.map { StoredValue(values[field + $0], in: values) }
    return try tables.table(of: schema)?.row(with: wanted, in: columns)
  }

  /// The rows of several objects are looked up together, as on a server.
  package var lookUpLimit: Int { 64 }

  func rowID(ofPrimary value: StoredValue, _ schema: ObjectSchema) throws -> Int64? {
    guard let primary = schema.primary else { return nil }
    return try tables.table(of: schema)?.rows(with: value, in: primary).first
  }

  package func hasRow(_ rowID: Int64, of schema: ObjectSchema) throws -> Bool {
    try tables.table(of: schema)?.rows[rowID] != nil
  }

  package var hasBrokenReferences: Bool { tables.hasBrokenReferences() }
}

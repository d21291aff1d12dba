package import MagicEngine
package import MagicSchema

/// Reads the tables of a transaction, or those of a snapshot, which is a copy.
package final class MemoryReader: EngineReader {
  private let database: MemoryDatabase
  private unowned let transaction: MemoryTransaction?
  package let parameters = FieldBuffer()
  private(set) var digest: ResultDigest?
  /// The region that the reads of a body access, if it is recorded.
  private var recorded: ReadRegion?
  /// Whether several reads use one snapshot, and the tables of that snapshot.
  private var isInSnapshot = false
  private var snapshot: MemoryTables?

  init(_ database: MemoryDatabase, in transaction: MemoryTransaction? = nil) {
    self.database = database
    self.transaction = transaction
  }

  package var token: StoreToken { database.token }
  package var isWriting: Bool { transaction != nil }

  func makeLease() -> StoreLease? { database.makeLease() }

  /// The tables that a read uses.
  var tables: MemoryTables {
    if let transaction { return transaction.tables }
    if let snapshot { return snapshot }
    let tables = database.committed
    if isInSnapshot { snapshot = tables }
    return tables
  }

  /// The table of a type, or nil if there is none.
  func table(of schema: ObjectSchema) throws -> MemoryTable? {
    recorded?.insert(schema, isLoaded: true)
    return try tables.table(of: schema)
  }

  /// The members of a collection; nil where its type has no table. A read of a lazy collection depends
  /// on its join table, which is no part of the type's own region.
  func memberTable(_ collection: Int, of schema: ObjectSchema) throws -> MemberTable? {
    recorded?.insert(table: schema.collections[collection].joinTable(of: schema))
    if let join = try schema.collections[collection].joinType { _ = try table(of: join.schema) }
    _ = try table(of: schema)
    return try tables.memberTable(collection, of: schema)
  }

  /// Compiles a query.
  func compile(_ query: PreparedQuery) throws -> CompiledQuery {
    let compiled = try CompiledQuery(query, tables) {
      try self.token.rowID(of: $0, isWriting: self.isWriting)
    }
    recorded?.formUnion(compiled.region)
    return compiled
  }

  func traceQuery(for schema: ObjectSchema) {
    if !isWriting { database.trace?("objects of \(schema.tableName)") }
  }

  // MARK: Snapshots

  package func inSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
    guard transaction == nil, !isInSnapshot else { return try body() }
    isInSnapshot = true
    defer { (isInSnapshot, snapshot) = (false, nil) }
    return try body()
  }

  package func withSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try inSnapshot(body)
  }

  package func performing<Result>(_ read: () throws -> Result) throws -> Result {
    try database.checkMayContinue()
    try Task.checkCancellation()
    return try read()
  }

  package func pausing<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

  /// Does nothing, because snapshots never expire.
  package func requireSnapshot() {}

  /// Returns an empty plan, because each table has the schema that its type declares.
  package func migrationPlan(for schemas: [ObjectSchema]) -> MagicMigrationPlan {
    MagicMigrationPlan(steps: [])
  }

  package func noteLookUp(of schema: ObjectSchema, byKey isByKey: Bool) {
    database.diagnostics?.noteLookUp(of: schema, byKey: isByKey)
  }

  package func noteLookUp(of schema: ObjectSchema, along property: PropertySchema) {
    database.diagnostics?.noteLookUp(of: schema, along: property) {
      "query(\(schema.typeName).self).all()"
    }
  }

  // MARK: Digests and regions

  package func digestingReads<Result>(
    _ body: () throws -> Result
  ) throws -> (result: Result, digest: ResultDigest.Value) {
    let outer = digest
    let digest = ResultDigest()
    self.digest = digest
    defer { self.digest = outer }
    let result = try body()
    return (result, digest.value)
  }

  package func recordingRegion<Result>(
    after last: RecordedRegion?, _ body: () throws -> Result
  ) throws -> (result: Result, digest: ResultDigest.Value, region: RecordedRegion) {
    let outer = recorded
    recorded = ReadRegion()
    defer { recorded = outer }
    let (result, digest) = try digestingReads(body)
    let region = RecordedRegion(region: recorded ?? ReadRegion(), schemaVersion: tables.version)
    return (result, digest, region)
  }
}

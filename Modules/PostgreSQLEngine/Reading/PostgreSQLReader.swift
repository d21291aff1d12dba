package import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import PostgreSQLTables

/// Reads on one connection, in a transaction or outside of one.
package final class PostgreSQLReader: EngineReader {
  let session: EngineSession
  package let isWriting: Bool
  package let parameters = FieldBuffer()
  @exclusivity(unchecked) private(set) var digest: ResultDigest?
  @exclusivity(unchecked) private var hasSnapshot = false

  init(_ session: EngineSession, isWriting: Bool = false) {
    self.session = session
    self.isWriting = isWriting
  }

  private var context: EngineContext { session.context }

  package var token: StoreToken { context.token }

  func makeLease() -> StoreLease? { context.makeLease() }

  // MARK: Snapshots

  package func inSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
    guard !isWriting, !hasSnapshot else { return try body() }
    _ = try translatingErrors {
      try session.connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }
    hasSnapshot = true
    defer {
      hasSnapshot = false
      if !context.lifecycle.isForked { session.connection.rollBack() }
    }
    return try body()
  }

  package func withSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try inSnapshot(body)
  }

  package func performing<Result>(_ read: () throws -> Result) throws -> Result {
    try context.checkMayContinue()
    try Task.checkCancellation()
    return try read()
  }

  package func pausing<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

  /// Does nothing, because the server never closes a snapshot.
  package func requireSnapshot() {}

  package func migrationPlan(for schemas: [ObjectSchema]) throws -> MagicMigrationPlan {
    guard let migrator = session.migrator else {
      throw MagicError.unsupported("migrations that are planned")
    }
    let reached = try ObjectSchema.reached(from: schemas)
    for schema in reached { _ = try schema.reach }
    return try inSnapshot { try migrator.plan(for: reached, in: session) }
  }

  package func noteLookUp(of schema: ObjectSchema, byKey isByKey: Bool) {
    context.diagnostics?.noteLookUp(of: schema, byKey: isByKey)
  }

  package func noteLookUp(of schema: ObjectSchema, along property: PropertySchema) {
    context.diagnostics?.noteLookUp(of: schema, along: property) {
      "query(\(schema.typeName).self).all()"
    }
  }

  // MARK: Statements

  /// Returns the statements of a type; nil if it has no table.
  func statements(of schema: ObjectSchema) throws -> TypeStatements? {
    try session.statements(of: schema)
  }

  /// Runs a statement with the values of the session's fields.
  func run(
    _ statement: PostgreSQLStatement, _ schema: ObjectSchema
  ) throws -> PostgreSQLResult {
    try Task.checkCancellation()
    return try session.run(statement, schema)
  }

  /// Adds a number to the digest, for example of rows.
  func noted(_ count: Int) -> Int {
    digest?.add(count)
    return count
  }

  func noted(_ isTrue: Bool) -> Bool {
    digest?.add(isTrue ? 1 : 0)
    return isTrue
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

  /// Returns a region that every commit may change: this engine does not record what a body reads.
  package func recordingRegion<Result>(
    after last: RecordedRegion?, _ body: () throws -> Result
  ) throws -> (result: Result, digest: ResultDigest.Value, region: RecordedRegion) {
    let (result, digest) = try digestingReads(body)
    return (result, digest, RecordedRegion(region: Self.anything, schemaVersion: schemaVersion))
  }

  static var anything: ReadRegion {
    var region = ReadRegion()
    region.isAny = true
    return region
  }

  /// A constant: the regions of this engine do not depend on the schema.
  package var schemaVersion: Int64 { 0 }
}

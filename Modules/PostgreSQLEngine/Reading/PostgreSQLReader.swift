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
  @exclusivity(unchecked) private(set) var hasSnapshot = false
  /// How the statement of a lookup runs.
  @exclusivity(unchecked) private(set) var lookUp: LookUp

  /// How the statement of a lookup runs, if lookups share messages to the server.
  enum LookUp {
    /// By itself.
    case alone
    /// It is sent, and the body ends with an error.
    case isSent
    /// The body ends with an error before the statement.
    case isSought
    /// The first statement of the body, which was not run, is one of a lookup.
    case found
    /// It was sent; this is its statement.
    case sent(PostgreSQLStatement)
    /// The server has answered it. The body, which runs again, gets this result.
    case answered(PostgreSQLStatement, PostgreSQLResult)
  }

  init(_ session: EngineSession, isWriting: Bool = false, lookUp: LookUp = .alone) {
    self.session = session
    self.isWriting = isWriting
    self.lookUp = lookUp
  }

  private var context: EngineContext { session.context }

  package var token: StoreToken { context.token }

  func makeLease() -> StoreLease? { context.makeLease() }

  // MARK: Snapshots

  package func inSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
    guard !isWriting, !hasSnapshot else { return try body() }
    try translatingErrors { try session.connection.beginSnapshot() }
    hasSnapshot = true
    defer {
      hasSnapshot = false
      if !context.lifecycle.isForked { session.connection.endSnapshot() }
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

  /// Whether the body ends at its first statement, and runs again.
  private var runsAgain: Bool {
    switch lookUp {
    case .isSent, .isSought: true
    default: false
    }
  }

  package func noteLookUp(of schema: ObjectSchema, byKey isByKey: Bool) {
    if runsAgain { return }
    context.diagnostics?.noteLookUp(of: schema, byKey: isByKey)
  }

  package func noteLookUp(of schema: ObjectSchema, along property: PropertySchema) {
    if runsAgain { return }
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
  ///
  /// - Parameter isLookUp: whether the statement finds few rows in a short time, so that those of
  ///   several tasks can share a message.
  func run(
    _ statement: PostgreSQLStatement, _ schema: ObjectSchema, isLookUp: Bool = false
  ) throws -> PostgreSQLResult {
    try Task.checkCancellation()
    switch lookUp {
    case .isSent where isLookUp:
      try session.connection.sendAhead(statement, session.fields)
      lookUp = .sent(statement)
      throw EndOfBody()
    case .isSought where isLookUp:
      lookUp = .found
      throw EndOfBody()
    case .answered(let answered, let result) where answered === statement:
      lookUp = .alone
      return result
    default: return try session.run(statement, schema)
    }
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

/// Ends the body of a lookup at its statement.
private struct EndOfBody: Error {}

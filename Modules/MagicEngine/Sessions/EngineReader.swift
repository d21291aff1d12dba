package import MagicSchema

/// What a read or a transaction reads with. Used by one thread at a time.
///
/// It is valid as long as the body that gets it runs. Errors are `MagicError`s, or
/// ``MigrationRequired`` where a table is outdated.
package protocol EngineReader: EngineRows, EngineSelections, EngineStatements, EngineRegions {
  /// Identifies the database in objects.
  var token: StoreToken { get }

  /// Whether the connection is in a transaction that writes.
  var isWriting: Bool { get }

  /// Runs reads that belong together on one snapshot: on the one or in the transaction that is open, or
  /// else on a new one.
  func inSnapshot<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs a body of the user's on one snapshot, or on the one or in the transaction that is open. Its
  /// reads run in ``performing(_:)``.
  ///
  /// A snapshot may be taken away while the body does not read. A body that has read all it wants
  /// before returns as usual: all it has seen is of one state.
  ///
  /// - Throws: what the body throws; `MagicError` with `.snapshotTooOld` where the body ignored that a
  ///   read threw it.
  func withSnapshot<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs a read of a body of the user's, whose snapshot may not be taken away meanwhile.
  ///
  /// - Throws: what the read throws, `MagicError` with `.snapshotTooOld`, or an error that says why the
  ///   database admits no reads now.
  func performing<Result>(_ read: () throws -> Result) throws -> Result

  /// Runs a closure of the user's inside a read. The open snapshot may be taken away meanwhile.
  func pausing<Result>(_ body: () throws -> Result) rethrows -> Result

  /// - Throws: `MagicError` with `.snapshotTooOld` where the open snapshot of a body was taken away.
  func requireSnapshot() throws

  /// What would migrate the tables of types, and of all they refer to.
  func migrationPlan(for schemas: [ObjectSchema]) throws -> MagicMigrationPlan

  /// Notes that objects of a type are looked up by their primary, for the diagnostics.
  func noteLookUp(of schema: ObjectSchema)

  /// Notes that the objects of a type that refer to one object are looked up.
  func noteLookUp(of schema: ObjectSchema, along property: PropertySchema)
}

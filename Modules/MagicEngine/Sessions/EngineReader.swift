package import MagicSchema

/// A connection that reads, in a read or a transaction. Used by one thread at a time.
///
/// The reader is valid while the body that receives it runs. Errors are `MagicError`s, or
/// ``MigrationRequired`` if a table is outdated.
package protocol EngineReader: EngineRows, EngineSelections, EngineStatements, EngineRegions {
  /// The identity of the database in objects.
  var token: StoreToken { get }

  /// Whether the connection is in a write transaction.
  var isWriting: Bool { get }

  /// Runs reads that need one snapshot. If no snapshot or transaction is open, a new snapshot is
  /// taken.
  func inSnapshot<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs a user-provided body on a new snapshot, or in the snapshot or transaction that is open.
  /// The reads of the body run in ``performing(_:)``.
  ///
  /// The snapshot may be closed while the body is not reading. A body that has completed all its
  /// reads by then returns normally, because all of them saw the same state.
  ///
  /// - Throws: the errors of the body; `MagicError` with `.snapshotTooOld` if a read threw it and
  ///   the body ignored it.
  func withSnapshot<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs one read of a user-provided body. The snapshot is not closed during the read.
  ///
  /// - Throws: the errors of the read, `MagicError` with `.snapshotTooOld`, or the error for the
  ///   current state of the database.
  func performing<Result>(_ read: () throws -> Result) throws -> Result

  /// Runs a user-provided closure inside a read. The open snapshot may be closed during the
  /// closure.
  func pausing<Result>(_ body: () throws -> Result) rethrows -> Result

  /// - Throws: `MagicError` with `.snapshotTooOld` if the open snapshot of a body was closed.
  func requireSnapshot() throws

  /// Returns the plan that would migrate the tables of types, and of all types that they refer to.
  func migrationPlan(for schemas: [ObjectSchema]) throws -> MagicMigrationPlan

  /// Returns what divides texts as the search index of a type does. Default: throws `MagicError` with
  /// `.unsupported`.
  func textSplitter(of schema: ObjectSchema) throws -> any TextSplitter

  /// Records a lookup by primary, or by key, for the diagnostics.
  func noteLookUp(of schema: ObjectSchema, byKey isByKey: Bool)

  /// Records a lookup of the objects of a type that refer to one object, for the diagnostics.
  func noteLookUp(of schema: ObjectSchema, along property: PropertySchema)
}

package import MagicEngine
package import MagicSchema
import MagicSQLite
import SQLiteFiles
import SQLiteTables

extension StoreConnection {
  /// Runs several reads on one snapshot: the open one, the one of the open transaction, or else a
  /// new one.
  package func inSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.snapshot(body)
  }

  /// Runs a body of the user on one snapshot: the open one, the one of the open transaction, or
  /// else a new one.
  ///
  /// - Throws: what the body throws, and `MagicError` with `.snapshotTooOld` if a read threw it and
  ///   the body ignored it.
  package func withSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
    if let pin { return try pin.pausing(body) }
    if connection.isInTransaction { return try body() }
    let pin = SnapshotPin(connection, snapshots)
    self.pin = pin
    defer { self.pin = nil }
    try connection.begin(.deferred)
    let result: Result
    do {
      result = try body()
    } catch {
      _ = pin.end()
      connection.rollBack()
      throw error
    }
    let hasThrown = pin.end()
    // Nothing was written, and a commit is faster than a rollback.
    do { if connection.isInTransaction { try connection.commit() } } catch { connection.rollBack() }
    guard !hasThrown else { throw MagicError.snapshotTooOld() }
    return result
  }

  /// Runs a read inside a body of the user. If the open snapshot is revoked meanwhile, the read
  /// throws `.snapshotTooOld`.
  package func performing<Result>(_ read: () throws -> Result) throws -> Result {
    try lifecycle.checkMayContinue()
    try Task.checkCancellation()
    return try lifecycle.replacingInterrupts {
      guard let pin else { return try translatingErrors(read) }
      return try pin.reading { try translatingErrors(read) }
    }
  }

  /// Runs statements that end soon after the task is cancelled, even if they scan many rows and
  /// return none.
  ///
  /// - Throws: `CancellationError` for a statement that was interrupted for this reason.
  package func withCancellationCheck<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try connection.withCancellationCheck(body)
    } catch let error as SQLiteError where error.code == .interrupted && Task.isCancelled {
      throw CancellationError()
    }
  }

  /// Runs a closure of the user inside a read. The open snapshot may be revoked while the closure
  /// runs.
  package func pausing<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let pin else { return try body() }
    return try pin.pausing(body)
  }

  /// - Throws: `MagicError` with `.snapshotTooOld` if the open snapshot of a body was revoked.
  package func requireSnapshot() throws { try pin?.checkNotRevoked() }

  package func noteLookUp(of schema: ObjectSchema, byKey isByKey: Bool) {
    diagnostics?.noteLookUp(of: schema, byKey: isByKey)
  }

  package func noteLookUp(of schema: ObjectSchema, along property: PropertySchema) {
    diagnostics?.noteLookUp(of: schema, along: property)
  }

  /// Runs reads and returns a digest of what they read.
  package func digestingReads<Result>(
    _ body: () throws -> Result
  ) rethrows -> (result: Result, digest: ResultDigest.Value) {
    let digest = ResultDigest()
    self.digest = digest
    defer { self.digest = nil }
    let result = try body()
    return (result, digest.value)
  }
}

package import MagicEngine
package import MagicSchema
import MagicSQLite
import SQLiteFiles
import SQLiteTables

extension StoreConnection {
  /// Runs reads that belong together on one snapshot: on the one or in the transaction that is open, or
  /// else on a new one.
  package func inSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.snapshot(body)
  }

  /// Runs a body of the user's on one snapshot, or on the one or in the transaction that is open.
  ///
  /// - Throws: what the body throws; `MagicError` with `.snapshotTooOld` where the body ignored that a
  ///   read threw it.
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
    let hasRefused = pin.end()
    // Nothing was written: it is the cheaper way to end.
    do { if connection.isInTransaction { try connection.commit() } } catch { connection.rollBack() }
    guard !hasRefused else { throw MagicError.snapshotTooOld() }
    return result
  }

  /// Runs a read of a body of the user's, whose snapshot may not be taken away meanwhile.
  package func performing<Result>(_ read: () throws -> Result) throws -> Result {
    try lifecycle.checkMayContinue()
    try Task.checkCancellation()
    return try lifecycle.explaining {
      guard let pin else { return try mapping(read) }
      return try pin.reading { try mapping(read) }
    }
  }

  /// Runs statements that end soon after the task is cancelled, also where they look at many rows and
  /// yield none.
  ///
  /// - Throws: `CancellationError` for a statement that was interrupted for that.
  package func heedingCancellation<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try connection.heedingCancellation(body)
    } catch let error as SQLiteError where error.code == .interrupted && Task.isCancelled {
      throw CancellationError()
    }
  }

  /// Runs a closure of the user's inside a read. The open snapshot may be taken away meanwhile.
  package func pausing<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let pin else { return try body() }
    return try pin.pausing(body)
  }

  /// - Throws: `MagicError` with `.snapshotTooOld` where the open snapshot of a body was taken away.
  package func requireSnapshot() throws { try pin?.requireKept() }

  package func noteLookUp(of schema: ObjectSchema) { diagnostics?.noteLookUp(of: schema) }

  package func noteLookUp(of schema: ObjectSchema, along property: PropertySchema) {
    diagnostics?.noteLookUp(of: schema, along: property)
  }

  /// Runs reads, and digests what they read.
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

import MagicSQLite
import SQLiteEngine
import SQLiteFiles

extension StoreConnection {
  /// Runs a body of the user's on one snapshot, or in the one or the transaction that is open.
  ///
  /// A body that has read all it wants before its snapshot is taken away returns as ever: all it
  /// has seen is of one state.
  ///
  /// - Throws: what the body throws; `MagicError` with `.snapshotTooOld` where the body passed over
  ///   that; ``MigrationRequired`` where a read threw it, whatever the body made of it.
  package func run<Result>(
    _ body: (borrowing MagicSnapshot) throws -> Result
  ) throws -> Result {
    if let pin { return try pin.pausing { try run(pin, body) } }
    if connection.isInTransaction { return try run(nil, body) }
    let pin = SnapshotPin(connection, snapshots)
    self.pin = pin
    defer { self.pin = nil }
    try connection.begin(.deferred)
    let result: Result
    do {
      result = try run(pin, body)
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

  private func run<Result>(
    _ pin: SnapshotPin?, _ body: (borrowing MagicSnapshot) throws -> Result
  ) throws -> Result {
    let context = OpenSnapshot(self, pin)
    defer { context.end() }
    let result = Swift.Result { try body(MagicSnapshot(context)) }
    if let required = context.required { throw required }
    return try result.get()
  }
}

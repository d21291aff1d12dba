package import MagicEngine
import MagicSQLite
import SQLiteFiles

extension StoreConnection {
  /// Runs reads that belong together on one snapshot: on the one or in the transaction that is open, or
  /// else on a new one.
  package func inSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.snapshot(body)
  }

  /// - Throws: `MagicError` with `.snapshotTooOld` where the open snapshot of a body was taken away.
  package func requireSnapshot() throws { try pin?.requireKept() }

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

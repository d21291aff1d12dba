import MagicEngine
import MagicSQLite
import MagicSchema

extension StoreLifecycle {
  /// Returns the error to throw for an error of a call, before the connection is returned. While
  /// the database is being suspended, the error of an interrupted call is replaced by the error of
  /// a suspension; any other error is returned unchanged.
  @usableFromInline
  package func replacingInterrupt(_ error: any Error) -> any Error {
    isSuspended && error.mayBeInterrupt ? MagicError.suspended() : error
  }

  @inlinable
  package func replacingInterrupts<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw replacingInterrupt(error)
    }
  }
}

extension Error {
  /// Whether the error may be the result of an interrupt: an interrupted statement, a transaction
  /// that was rolled back for that reason, or a lock that the connection stopped waiting for.
  fileprivate var mayBeInterrupt: Bool {
    if let error = self as? MagicError {
      return error.code == .busy || error.code == .transactionOver
        || (error.cause?.mayBeInterrupt ?? false)
    }
    guard let error = self as? SQLiteError else { return false }
    return error.code == .interrupted || error.code == .busy || error.code == .abort
  }
}

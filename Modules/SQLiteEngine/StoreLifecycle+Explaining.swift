import MagicEngine
import MagicSQLite
import MagicSchema

extension StoreLifecycle {
  /// What to throw in the place of an error, before the connection is given back: while the store is
  /// being suspended, what was interrupted for that says so in its own way.
  @usableFromInline
  package func explained(_ error: any Error) -> any Error {
    isSuspended && error.isOfInterruption ? MagicError.suspended() : error
  }

  @inlinable
  package func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw explained(error)
    }
  }
}

extension Error {
  /// Whether it may say that a statement was interrupted, that its transaction is over for that reason,
  /// or that a lock was not waited for.
  fileprivate var isOfInterruption: Bool {
    if let error = self as? MagicError {
      return error.code == .busy || error.code == .transactionOver
        || (error.cause?.isOfInterruption ?? false)
    }
    guard let error = self as? SQLiteError else { return false }
    return error.code == .interrupted || error.code == .busy || error.code == .abort
  }
}

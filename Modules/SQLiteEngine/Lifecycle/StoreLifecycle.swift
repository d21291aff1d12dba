import CMagicRuntime
package import MagicRuntime
import MagicSQLite
package import MagicSchema
import SQLiteTables

/// Whether a store lets calls in: asked where each begins, without a lock, and before any is taken.
package final class StoreLifecycle: @unchecked Sendable {
  @usableFromInline package let origin = ProcessOrigin()
  @usableFromInline package let suspended: UnsafeMutablePointer<UInt32>

  package init() {
    suspended = .allocate(capacity: 1)
    suspended.initialize(to: 0)
  }

  deinit { suspended.deallocate() }

  /// Whether the store belongs to the process that this one was forked from.
  @inlinable package var isForked: Bool { origin.isForked }

  @inlinable package var isSuspended: Bool {
    get { magic_flag_load(suspended) }
    set { magic_flag_store(suspended, newValue) }
  }

  /// - Throws: `MagicError` with `.forked` or `.suspended`.
  @inlinable
  @inline(__always)
  package func check() throws {
    if isForked || isSuspended { throw refusal() }
  }

  @inline(never)
  @usableFromInline
  package func refusal() -> MagicError { isForked ? .forked() : .suspended() }

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

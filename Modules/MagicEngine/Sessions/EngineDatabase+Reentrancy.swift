import CMagicRuntime
import MagicRuntime
package import MagicSchema

extension EngineDatabase {
  /// Runs a body that may call user code, and marks this thread as reading or writing the database.
  /// The body stays on its thread: it does not suspend.
  @inlinable
  package func markingCall<Result>(_ body: () throws -> Result) rethrows -> Result {
    let innermost = magic_thread_database_scope()
    var scope = magic_database_scope(
      database: address, token: token.rawValue, outer: innermost.pointee)
    return try withUnsafeMutablePointer(to: &scope) { scope in
      innermost.pointee = scope
      defer { innermost.pointee = scope.pointee.outer }
      return try body()
    }
  }

  /// Checks that this thread is not inside a read or write of the database. Threads that hold a
  /// connection and wait for a second one could deadlock. Therefore a thread never acquires a
  /// second connection, even if one is free.
  ///
  /// - Throws: `MagicError` with `.nestedCall` if this thread is already reading or writing the
  ///   database: a user-provided closure or conversion called the database during another call on
  ///   it; `.changeInProgress` inside an in-place change that holds the lock of a property.
  package func checkNotReentrant() throws {
    try OwnChanges.refuseToWait()
    let address = address
    var next = magic_thread_database_scope().pointee
    while let scope = next {
      guard scope.pointee.database != address else {
        throw MagicError(
          .nestedCall,
          "The database was called inside another call on it, from a closure or a conversion of a "
            + "value. Make this call after the other call has returned.")
      }
      next = scope.pointee.outer
    }
  }

  @inlinable var address: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }
}

extension StoreToken {
  /// The database that this thread is reading or writing now, or nil.
  package static var current: StoreToken? {
    magic_thread_database_scope().pointee.map { StoreToken(rawValue: $0.pointee.token) }
  }
}

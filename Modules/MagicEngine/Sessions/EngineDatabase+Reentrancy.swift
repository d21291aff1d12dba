import CMagicRuntime
import MagicRuntime
package import MagicSchema

extension EngineDatabase {
  /// Runs a body that may call the user's code, on a thread that reads from the database or writes to it.
  /// The body stays on its thread: it does not suspend.
  @inlinable
  package func markingCall<Result>(_ body: () throws -> Result) rethrows -> Result {
    let innermost = magic_thread_database_scope()
    var holding = magic_database_scope(
      database: address, token: token.rawValue, outer: innermost.pointee)
    return try withUnsafeMutablePointer(to: &holding) { holding in
      innermost.pointee = holding
      defer { innermost.pointee = holding.pointee.outer }
      return try body()
    }
  }

  /// Threads that block for a second connection while they have one could wait for each other, for
  /// ever; so none does, however many are free.
  ///
  /// - Throws: `MagicError` with `.nestedCall` where this thread reads from the database or writes to it
  ///   already: a closure or a conversion of the user's called the database that called it;
  ///   `.changeInProgress` inside an in-place change that holds the lock of a property.
  package func checkNotReentrant() throws {
    try OwnChanges.refuseToWait()
    let address = address
    var next = magic_thread_database_scope().pointee
    while let holding = next {
      guard holding.pointee.database != address else {
        throw MagicError(.nestedCall, "The store was called from inside one of its own calls.")
      }
      next = holding.pointee.outer
    }
  }

  @inlinable var address: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }
}

extension StoreToken {
  /// The database that this thread reads from or writes to now; nil where it does neither.
  package static var atHand: StoreToken? {
    magic_thread_database_scope().pointee.map { StoreToken(rawValue: $0.pointee.token) }
  }
}

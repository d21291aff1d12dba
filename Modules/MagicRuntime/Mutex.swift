/// A value that threads share and reach under a lock alone, so that the compiler checks each use of it.
///
/// The lock is held for a few instructions or for one opening of a file, never across `await`. Locking
/// twice on one thread ends the process.
@usableFromInline
package final class Mutex<Value: Sendable>: Locked, @unchecked Sendable {
  // Guarded by the lock, so that exclusive access needs no check at run time.
  @exclusivity(unchecked) @usableFromInline var value: Value

  @inlinable
  package init(_ value: Value) {
    self.value = value
    super.init()
  }

  /// Runs the body with the value, which it may change.
  @inlinable
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body(&value)
  }
}

/// A value that threads share. It is accessible only while the lock is held, which the compiler
/// enforces.
///
/// The lock is held for a few instructions or while a file is opened, never across `await`. Locking
/// it twice on one thread ends the process.
@usableFromInline
package final class Mutex<Value: Sendable>: Locked, @unchecked Sendable {
  // Guarded by the lock, so exclusive access needs no check at run time.
  @exclusivity(unchecked) @usableFromInline var value: Value

  @inlinable
  package init(_ value: Value) {
    self.value = value
    super.init()
  }

  /// Calls the body with the value, which the body may change.
  @inlinable
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body(&value)
  }
}

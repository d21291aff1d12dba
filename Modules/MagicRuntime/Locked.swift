public import CMagicRuntime

/// An object with a lock inside itself: no second allocation, four bytes.
///
/// Held for a few instructions or for one in-place change, never across `await`.
open class Locked {
  // Reached through `header` alone, so that no two threads ever form an access to the stored
  // property itself.
  @exclusivity(unchecked) private var storedHeader = Header()

  @usableFromInline
  package struct Header {
    @usableFromInline package var lock: UInt32 = 0
    /// Free for the subclass, guarded by the lock.
    @usableFromInline package var flags: UInt32 = 0

    init() {}
  }

  /// An object whose lock is free.
  @inlinable public init() {}

  /// Fields of a native class begin behind its two-word object header.
  @inlinable package static var headerOffset: Int { 2 * MemoryLayout<Int>.size }

  @inlinable
  package final var header: UnsafeMutablePointer<Header> {
    (Unmanaged.passUnretained(self).toOpaque() + Self.headerOffset)
      .assumingMemoryBound(to: Header.self)
  }

  @inlinable
  package final func lock() {
    magic_lock(UnsafeMutableRawPointer(header).assumingMemoryBound(to: UInt32.self))
  }

  @inlinable
  package final func unlock() {
    magic_unlock(UnsafeMutableRawPointer(header).assumingMemoryBound(to: UInt32.self))
  }

  @inlinable
  package final func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// A lock for state that several tasks share.
package final class Lock: Locked, @unchecked Sendable {
  package override init() { super.init() }
}

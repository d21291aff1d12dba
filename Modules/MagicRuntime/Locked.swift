public import CMagicRuntime

/// An object that contains a lock of four bytes, which needs no allocation of its own.
///
/// The lock is held for a few instructions or for one in-place change, never across `await`.
open class Locked {
  // Accessed only through `header`, so that two threads never form overlapping accesses to the
  // stored property itself.
  @exclusivity(unchecked) private var storedHeader = Header()

  @usableFromInline
  package struct Header {
    @usableFromInline package var lock: UInt32 = 0
    /// Available to subclasses, guarded by the lock.
    @usableFromInline package var flags: UInt32 = 0

    init() {}
  }

  /// Creates an object whose lock is free.
  @inlinable public init() {}

  /// The offset of the first stored property: the object header of a native class has two words.
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

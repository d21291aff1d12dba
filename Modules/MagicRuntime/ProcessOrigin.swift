public import CMagicRuntime

/// The process in which an object was created.
///
/// A fork copies all objects to the child process, including connections and files that still
/// belong to the parent process. Their owner checks `isForked` before it takes a lock, because the
/// threads that held locks in the parent do not exist in the child.
@frozen
@usableFromInline
package struct ProcessOrigin: Hashable, Sendable {
  @usableFromInline let forks: UInt32

  package init() {
    magic_watch_forks()
    forks = magic_fork_count()
  }

  /// Whether this process is a child, possibly indirect, of the process in which the object was
  /// created.
  @inlinable
  package var isForked: Bool { forks != magic_fork_count() }
}

extension Locked {
  /// Registers the lock to be held during each fork, for state that the entire process shares. The
  /// lock is never deallocated. Because no fork happens while a thread holds it, the child process
  /// gets a free lock and consistent state.
  ///
  /// A thread that holds one of these locks must not wait for another one.
  package func lockedDuringForks() -> Self {
    let word = UnsafeMutablePointer<UInt32>(
      OpaquePointer(Unmanaged.passRetained(self).takeUnretainedValue().header))
    _ = magic_lock_during_forks(word)
    return self
  }
}

public import CMagicRuntime

/// The process that something was made in.
///
/// A fork makes a copy of everything in the child, connections and files among it, that still belongs
/// to the parent. Whoever owns such a thing asks before it takes a lock: threads that held one do not
/// exist in the child.
@frozen
@usableFromInline
package struct ProcessOrigin: Hashable, Sendable {
  @usableFromInline let forks: UInt32

  package init() {
    magic_watch_forks()
    forks = magic_fork_count()
  }

  /// Whether this process is a child of that one, with a copy of what it had.
  @inlinable
  package var isForked: Bool { forks != magic_fork_count() }
}

extension Locked {
  /// Makes it the lock of what all of a process share, which lives as long as the process. No fork
  /// happens while it is held, so that it is free in the child, and what it guards whole.
  ///
  /// A thread that holds one waits for no other of its kind.
  package func heldAcrossForks() -> Self {
    let word = UnsafeMutablePointer<UInt32>(
      OpaquePointer(Unmanaged.passRetained(self).takeUnretainedValue().header))
    _ = magic_hold_across_forks(word)
    return self
  }
}

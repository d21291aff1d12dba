import CMagicRuntime

/// The calling thread.
package enum CurrentThread {
  /// A value that is unique among the existing threads.
  package static var identifier: UInt { UInt(bitPattern: magic_thread_identity()) }

  /// Lets other threads run. The first 64 pauses yield the processor. A later pause sleeps for
  /// `pauses` microseconds, at most one millisecond.
  package static func pause(after pauses: UInt32) {
    magic_thread_pause(pauses < 64 ? 0 : min(pauses, 1_000))
  }

  package static func pause(microseconds: UInt32) { magic_thread_pause(microseconds) }

  /// A monotonic clock in nanoseconds.
  package static var time: UInt64 { magic_monotonic_time() }
}

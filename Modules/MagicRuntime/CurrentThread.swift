import CMagicRuntime

/// The thread that calls.
package enum CurrentThread {
  /// Tells it from every other thread that lives.
  package static var identifier: UInt { UInt(bitPattern: magic_thread_identity()) }

  /// Lets other threads run: for an instant at first, for longer after many pauses.
  package static func pause(after pauses: UInt32) {
    magic_thread_pause(pauses < 64 ? 0 : min(pauses, 1_000))
  }

  package static func pause(microseconds: UInt32) { magic_thread_pause(microseconds) }

  /// Nanoseconds of a clock that only goes forward.
  package static var time: UInt64 { magic_monotonic_time() }
}

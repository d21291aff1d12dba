import CMagicRuntime

/// Records whether a save has read a stale value: one that is older than the value before a change
/// in progress; see ``ChangeHistory``. A stale value may lack changes that have ended, and must not
/// be saved.
package enum StaleReads {
  /// Records that this thread has read a stale value.
  static func record() { magic_stale_read_record() }

  /// Clears the record of this thread. Called at the beginning of a save.
  package static func clear() { _ = magic_stale_read_take() }
}

import CMagicRuntime

/// Whether a verb has read a value that is older than the one from before a change in progress; see
/// ``ChangeHistory``. Such a value may lack changes that have ended, and is not saved.
package enum EarlierValues {
  /// Called on the thread that has read one.
  static func note() { magic_changes_note_earlier_value() }

  /// Called where a verb begins.
  package static func forget() { _ = magic_changes_take_earlier_value() }
}

import CMagicRuntime

/// Records whether a save has read an outdated value: one that is older than the value before a
/// change in progress; see ``ChangeHistory``. Such a value may lack changes that have ended, and
/// must not be saved.
package enum EarlierValues {
  /// Records that this thread has read an outdated value.
  static func note() { magic_changes_note_earlier_value() }

  /// Clears the record of this thread. Called at the beginning of a save.
  package static func forget() { _ = magic_changes_take_earlier_value() }
}

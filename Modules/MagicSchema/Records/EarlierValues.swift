import CMagicRuntime

/// Whether a verb has read a value that is older than the one from before a change in progress; see
/// ``ChangeHistory``. Such a value may lack changes that have ended, and is not saved.
package enum EarlierValues {
  /// Called on the thread that has read one.
  static func note() { magic_changes_note_earlier_value() }

  /// Called where a verb begins.
  package static func forget() { _ = magic_changes_take_earlier_value() }

  /// Called before what was read is written.
  ///
  /// - Throws: `MagicError` with `.changeInProgress` where it is an earlier value.
  @inlinable
  package static func refuse(_ schema: ObjectSchema) throws {
    if magic_changes_take_earlier_value() { throw refusal(schema) }
  }

  @usableFromInline
  static func refusal(_ schema: ObjectSchema) -> MagicError {
    MagicError(
      .changeInProgress,
      "Another task is changing a property of the object in place, and has suspended. "
        + "Save the object again when the change has ended. Nothing was written.",
      type: schema.typeName)
  }
}

import CMagicRuntime

extension EarlierValues {
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

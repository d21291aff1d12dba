public import CMagicRuntime

extension StaleReads {
  /// Throws if a value that a save has read is stale. Called before the values are written.
  ///
  /// - Throws: `MagicError` with `.changeInProgress`.
  @inlinable
  package static func refuse(_ schema: ObjectSchema) throws {
    if magic_stale_read_take() { throw refusal(schema) }
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

extension ToOneColumn {
  /// The type that the relationship refers to.
  ///
  /// - Throws: `MagicError` if that type cannot be stored as it is declared.
  package final var target: ObjectSchema { get throws { try ObjectSchema.of(erased: targetType) } }
}

extension CollectionColumn {
  /// The type of the members.
  ///
  /// - Throws: `MagicError` if that type cannot be stored as it is declared.
  package final var target: ObjectSchema { get throws { try ObjectSchema.of(erased: memberType) } }
}

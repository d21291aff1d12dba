extension ToOneColumn {
  /// The type it refers to.
  ///
  /// - Throws: `MagicError` where that type cannot be stored as it is declared.
  package final var target: ObjectSchema { get throws { try ObjectSchema.of(erased: targetType) } }
}

extension CollectionColumn {
  /// The members' type.
  ///
  /// - Throws: `MagicError` where that type cannot be stored as it is declared.
  package final var target: ObjectSchema { get throws { try ObjectSchema.of(erased: memberType) } }
}

extension ToOneColumn {
  /// The type that the relationship refers to.
  ///
  /// - Throws: `MagicError` if that type cannot be stored as it is declared.
  package final var target: ObjectSchema { get throws { try targetLayout.schema(of: targetType) } }
}

extension CollectionColumn {
  /// The type of the members.
  ///
  /// - Throws: `MagicError` if that type cannot be stored as it is declared.
  package final var target: ObjectSchema { get throws { try targetLayout.schema(of: memberType) } }
}

extension KnownLayout {
  /// Returns the schema of a type, which is always the same one.
  fileprivate func schema(of type: any MagicObject.Type) throws -> ObjectSchema {
    if let layout { return layout.schema }
    let schema = try ObjectSchema.of(erased: type)
    keep(schema)
    return schema
  }
}

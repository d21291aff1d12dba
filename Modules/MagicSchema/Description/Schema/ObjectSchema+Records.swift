/// The storage of objects knows their type's layout alone, which is the type's schema.
extension TypeLayout {
  @inlinable package final var schema: ObjectSchema { unsafeDowncast(self, to: ObjectSchema.self) }
}

extension RowChunk {
  /// The rows' type.
  @inlinable package var schema: ObjectSchema { type.schema }
}

extension ObjectReference {
  /// The object's type.
  @inlinable package var schema: ObjectSchema { type.schema }
}

extension RetainedObjects {
  /// The objects' type.
  @inlinable package final var schema: ObjectSchema { type.schema }
}

extension LazyPropertyBox.Home {
  /// The object's type.
  package var schema: ObjectSchema { type.schema }
}

extension LinkList {
  /// The members' type.
  final var target: ObjectSchema { memberType.schema }
}

extension FileContent {
  /// The property that it was fetched as, for errors.
  package var property: (schema: ObjectSchema, column: Int)? {
    origin.map { ($0.type.schema, $0.column) }
  }
}

extension ObjectSchema {
  /// Calls the body with an object's properties.
  package func withReference<Model: MagicObject, Result>(
    to object: Model, _ body: (ObjectReference) throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: object) {
      try body(ObjectReference(instance: $0, schema: self))
    }
  }
}

extension ObjectSchema {
  /// Makes the object of a fetched row.
  package func hold(_ row: PackedRow) -> RetainedObjects {
    let type = self.type
    return hold(row, as: type)
  }

  private func hold<Model: MagicObject>(_ row: PackedRow, as type: Model.Type) -> RetainedObjects {
    RetainedArray<Model>([makeObject(Model.self, from: row)], schema: self)
  }
}

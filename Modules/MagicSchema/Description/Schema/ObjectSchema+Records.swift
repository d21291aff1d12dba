/// The storage of objects uses `_TypeLayout`, whose only subclass is `ObjectSchema`. These
/// extensions convert between them.
extension _TypeLayout {
  @inlinable package final var schema: ObjectSchema { unsafeDowncast(self, to: ObjectSchema.self) }
}

extension RowChunk {
  /// The type of the rows.
  @inlinable package var schema: ObjectSchema { type.schema }
}

extension ObjectReference {
  /// The type of the object.
  @inlinable package var schema: ObjectSchema { type.schema }
}

extension RetainedObjects {
  /// The type of the objects.
  @inlinable package final var schema: ObjectSchema { type.schema }
}

extension LazyPropertyBox.Position {
  /// The type of the object.
  package var schema: ObjectSchema { type.schema }
}

extension JoinType {
  /// The schema of the type.
  package var schema: ObjectSchema { type.schema }
}

extension FileContent {
  /// The property that the content was fetched for, for error messages.
  package var property: (schema: ObjectSchema, column: Int)? {
    origin.map { ($0.type.schema, $0.column) }
  }
}

extension ObjectSchema {
  /// Calls the body with a reference to the properties of an object.
  package func withReference<Model: MagicObject, Result>(
    to object: Model, _ body: (ObjectReference) throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: object) {
      try body(ObjectReference(instance: $0, schema: self))
    }
  }
}

extension ObjectSchema {
  /// Creates the object of a fetched row, for code that does not depend on its type.
  package func makeRetainedObject(from row: PackedRow) -> RetainedObjects {
    let type = self.type
    return makeRetainedObject(from: row, as: type)
  }

  private func makeRetainedObject<Model: MagicObject>(from row: PackedRow, as type: Model.Type)
    -> RetainedObjects
  {
    RetainedObject(makeObject(Model.self, from: row), schema: self)
  }

  /// Creates an object of the type, for code that does not depend on the type.
  package func makeNewObject() -> RetainedObjects {
    let type = self.type
    return makeNewObject(type)
  }

  private func makeNewObject<Model: MagicObject>(_ type: Model.Type) -> RetainedObjects {
    RetainedObject(Model(), schema: self)
  }
}

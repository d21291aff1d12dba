extension ObjectSchema {
  /// The relationship that a key path to a property refers to; nil where it refers to none of the
  /// type's own.
  package func relationship(at property: PropertyReference) -> PropertySchema? {
    let candidates: [PropertySchema] = toOnes.map(\.schema) + collections
    return candidates.first { $0.template.storage === property.storage }
  }

  /// The column or collection that a key path to a property refers to; nil where it refers to none of
  /// the type's own.
  package func property(at reference: PropertyReference) -> PropertySchema? {
    (columns + collections).first { $0.template.storage === reference.storage }
  }

  /// The property of the type itself that a key path refers to; nil for another type's.
  package func property<Model: MagicObject, Value>(
    at path: KeyPath<Model, MagicField<Value>>
  ) throws -> PropertySchema? {
    (evaluate(on: Model.self) { $0[keyPath: path].ownReference } ?? nil).flatMap(property)
  }

  /// What key paths refer to on the type's template object; nil for another type than the schema's.
  package func evaluate<Model: MagicObject, Result>(
    on type: Model.Type, _ body: (Model) throws -> Result
  ) rethrows -> Result? {
    guard let template = template as? Model else { return nil }
    return try Reflector.evaluating { try body(template) }
  }
}

extension ObjectSchema {
  /// The property that a key path refers to.
  ///
  /// - Returns: the columns of the to-ones on the path, each in its own type, and the number of the
  ///   property in its type; columns come first, then collections, then inverse relationships.
  /// - Throws: `MagicError` with `.invalidQuery` where the key path refers to no property of these
  ///   types.
  package func path<Value>(
    to field: MagicField<Value>
  ) throws -> (toOnes: [Int], property: Int) {
    guard let references = field.path?.toOnes else { return ([], try place(of: field.reference)) }
    var schema = self
    var toOnes: [Int] = []
    for reference in references {
      let column = try schema.place(of: reference)
      guard column < schema.columns.count, let toOne = schema.columns[column] as? ToOneColumn else {
        throw schema.noProperty()
      }
      toOnes.append(column)
      schema = try toOne.target
    }
    return (toOnes, try schema.place(of: field.reference))
  }

  private func place(of reference: PropertyReference) throws -> Int {
    guard let place = properties.firstIndex(where: { $0.template.storage === reference.storage })
    else { throw noProperty() }
    return place
  }

  private func noProperty() -> MagicError {
    MagicError(
      .invalidQuery, "A key path refers to no stored property of the type.", type: typeName)
  }
}

extension ObjectSchema {
  /// Returns the relationship that a key path refers to; nil if it refers to no relationship of
  /// this type.
  package func relationship(at property: PropertyReference) -> PropertySchema? {
    let candidates: [PropertySchema] = toOnes.map(\.schema) + collections
    return candidates.first { $0.template.storage === property.storage }
  }

  /// Returns the column or collection that a key path refers to; nil if it refers to no property of
  /// this type.
  package func property(at reference: PropertyReference) -> PropertySchema? {
    (columns + collections).first { $0.template.storage === reference.storage }
  }

  /// Returns the property that a key path refers to; nil if it is not a property of this type
  /// itself.
  package func property<Model: MagicObject, Value>(
    at path: KeyPath<Model, MagicField<Value>>
  ) throws -> PropertySchema? {
    (evaluate(on: Model.self) { $0[keyPath: path].ownReference } ?? nil).flatMap(property)
  }

  /// Evaluates key paths on the template object of the type; nil if `Model` is not the type of this
  /// schema.
  package func evaluate<Model: MagicObject, Result>(
    on type: Model.Type, _ body: (Model) throws -> Result
  ) rethrows -> Result? {
    guard let template = template as? Model else { return nil }
    return try Reflector.evaluating { try body(template) }
  }
}

extension ObjectSchema {
  /// Returns the property that a key path refers to.
  ///
  /// - Returns: the columns of the to-ones that the path passes through, each as an index in its
  ///   own type, and the index of the property in its type. Columns are first, then collections,
  ///   then inverse relationships.
  /// - Throws: `MagicError` with `.invalidQuery` if the key path refers to no property of these
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
      .invalidQuery, "The key path refers to no magic property of the type.", type: typeName)
  }
}

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
  /// Where a property is that a key path refers to: the places of the to-ones on the way in their
  /// types, then the property's in its own; columns, then collections, then reverse properties.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` where the key path refers to no property of these
  ///   types.
  package func steps<Value>(to field: MagicField<Value>) throws -> [Int] {
    var schema = self
    var steps: [Int] = []
    for reference in field.path?.toOnes ?? [] {
      let step = try schema.place(of: reference)
      guard step < schema.columns.count, let toOne = schema.columns[step] as? ToOneColumn else {
        throw schema.noProperty()
      }
      steps.append(step)
      schema = try toOne.target
    }
    return steps + [try schema.place(of: field.reference)]
  }

  private func place(of reference: PropertyReference) throws -> Int {
    guard let place = properties.firstIndex(where: { $0.template.storage === reference.storage })
    else { throw noProperty() }
    return place
  }

  private func noProperty() -> MagicError {
    MagicError(
      .invalidQuery, "A key path leads to no stored property of the type.", type: typeName)
  }
}

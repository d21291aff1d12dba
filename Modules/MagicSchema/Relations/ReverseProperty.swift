/// A relationship that a reverse property leads back along.
package protocol ReverseRelationship: AnyObject, Sendable {
  /// The relationship: a ``ToOneColumn`` or a ``CollectionColumn`` of the other type.
  ///
  /// - Throws: `MagicError` with `.invalidSchema` where there is none such.
  func resolved() throws -> (owner: ObjectSchema, property: PropertySchema)
}

/// A property that leads back along a relationship of another type.
package final class ReverseProperty: PropertySchema, @unchecked Sendable {
  package let relationship: any ReverseRelationship

  package init(
    property: String, valueType: Any.Type, template: PropertyReference,
    relationship: any ReverseRelationship
  ) {
    self.relationship = relationship
    super.init(property: property, options: [], valueType: valueType, template: template)
  }
}

/// The cell of a reverse property, which knows the object it belongs to once that is saved.
package final class ReverseCell: AnyCell {
  package let relationship: any ReverseRelationship

  package init(_ relationship: any ReverseRelationship) {
    self.relationship = relationship
    super.init(isChanged: false, line: 0)
  }

  /// The object is a row from now on.
  package func adopt(_ record: ObjectRecord) {
    _ = ObjectRecord.inSlot(recordSlot, orInstall: record)
  }
}

extension ObjectSchema {
  /// The relationship that a key path to a property leads to; nil where it leads to none of the
  /// type's own.
  package func relationship(at property: PropertyReference) -> PropertySchema? {
    let candidates: [PropertySchema] = toOnes.map(\.schema) + collections
    return candidates.first { $0.template.storage === property.storage }
  }

  /// The column or collection that a key path to a property leads to; nil where it leads to none of
  /// the type's own.
  package func property(at reference: PropertyReference) -> PropertySchema? {
    (columns + collections).first { $0.template.storage === reference.storage }
  }

  /// The property of the type itself that a key path leads to; nil for another type's.
  package func property<Model: MagicObject, Value>(
    at path: KeyPath<Model, MagicField<Value>>
  ) throws -> PropertySchema? {
    (evaluate(on: Model.self) { $0[keyPath: path].ownReference } ?? nil).flatMap(property)
  }

  /// What key paths lead to on the type's template object; nil for another type than the schema's.
  package func evaluate<Model: MagicObject, Result>(
    on type: Model.Type, _ body: (Model) throws -> Result
  ) rethrows -> Result? {
    guard let template = template as? Model else { return nil }
    return try Reflector.evaluating { try body(template) }
  }
}

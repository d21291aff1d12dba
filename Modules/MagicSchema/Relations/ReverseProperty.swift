/// A property that leads back along a relationship of another type.
package class ReverseProperty: PropertySchema, @unchecked Sendable {
  /// The relationship: a ``ToOneColumn`` or a ``CollectionColumn`` of the other type.
  ///
  /// - Throws: `MagicError` with `.invalidSchema` where there is none such.
  package func relationship() throws -> (owner: ObjectSchema, property: PropertySchema) {
    throw MagicError(.invalidSchema, "There is no such relationship.", property: property)
  }
}

/// The cell of a reverse property, which knows the object it belongs to once that is saved.
package class ReverseCell: AnyCell {
  package init() { super.init(isChanged: false, line: 0) }

  /// The object is a row from now on.
  package final func adopt(_ record: ObjectRecord) {
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

  /// The type's template object, to evaluate a key path on.
  package func template<Model: MagicObject>(as type: Model.Type) -> Model? {
    template as? Model
  }
}

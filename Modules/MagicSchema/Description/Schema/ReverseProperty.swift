/// A relationship that a reverse property refers back along.
package protocol ReverseRelationship: AnyObject, Sendable {
  /// The relationship: a ``ToOneColumn`` or a ``CollectionColumn`` of the other type.
  ///
  /// - Throws: `MagicError` with `.invalidSchema` where there is none such.
  func resolved() throws -> (owner: ObjectSchema, property: PropertySchema)
}

/// A property that refers back along a relationship of another type.
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

/// The box of a reverse property, which knows the object it belongs to once that is saved.
package final class ReversePropertyBox: AnyPropertyBox {
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

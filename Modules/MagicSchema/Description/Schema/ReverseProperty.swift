import MagicRuntime

/// The relationship that a property is the inverse of.
package protocol ReverseRelationship: AnyObject, Sendable {
  /// Returns the relationship: a ``ToOneColumn`` or a ``CollectionColumn`` of the other type.
  ///
  /// - Throws: `MagicError` with `.invalidSchema` if there is no such relationship.
  func resolved() throws -> (owner: ObjectSchema, property: PropertySchema)
}

/// A property that is the inverse of a relationship of another type.
package final class ReverseProperty: PropertySchema, @unchecked Sendable {
  package let relationship: any ReverseRelationship

  package init(
    property: String, valueType: Any.Type, template: PropertyReference,
    relationship: any ReverseRelationship
  ) {
    self.relationship = relationship
    super.init(property: property, options: [], valueType: valueType, template: template)
  }

  override func shown(_ reference: PropertyReference) -> Any? { ShownText("\(valueType)") }
}

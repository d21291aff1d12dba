extension PropertySchema {
  /// Returns the box as the box of a relationship. It throws if the box was created as that of a
  /// plain value, in code whose generic parameter is not constrained to `MagicalRelation`.
  func relationshipBox<Value>(_ box: AnyPropertyBox) throws -> RelationshipBox<Value> {
    guard let box = box as? RelationshipBox<Value> else {
      throw MagicError(
        .invalidSchema,
        "The property is declared in generic code that does not constrain its type to "
          + "MagicalRelation.", property: property)
    }
    return box
  }
}

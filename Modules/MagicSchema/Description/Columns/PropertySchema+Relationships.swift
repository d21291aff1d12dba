extension PropertySchema {
  /// The box of a relationship; one that was made where the compiler knew the type as a plain
  /// value is none.
  func relationshipBox<Value>(_ box: AnyPropertyBox) throws -> RelationshipBox<Value> {
    guard let box = box as? RelationshipBox<Value> else {
      throw MagicError(
        .invalidSchema,
        "The property was made as a plain value, by code that does not know its type to be an "
          + "object's.", property: property)
    }
    return box
  }
}

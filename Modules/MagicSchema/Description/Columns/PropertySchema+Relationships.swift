extension PropertySchema {
  /// The cell of a relationship; one that was made where the compiler knew the type as a plain
  /// value is none.
  func relationCell<Value>(_ cell: AnyCell) throws -> RelationCell<Value> {
    guard let cell = cell as? RelationCell<Value> else {
      throw MagicError(
        .invalidSchema,
        "The property was made as a plain value, by code that does not know its type to be an "
          + "object's.", property: property)
    }
    return cell
  }
}

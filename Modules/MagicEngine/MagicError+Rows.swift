package import MagicSchema

extension MagicError {
  /// A row that refers to one that does not exist: it was written with foreign keys off.
  ///
  /// - Parameter target: nil where it is not even a row ID.
  package static func brokenReference(
    from owner: Int64, of schema: ObjectSchema, _ property: PropertySchema, to target: Int64?
  ) -> MagicError {
    MagicError(
      .brokenReference,
      "Row \(owner) refers to "
        + "\(target.map { "row \($0), which does not exist" } ?? "a value that is not a row ID").",
      type: schema.typeName, property: property.property)
  }

  /// There is no object with a primary.
  package static func noObject(_ schema: ObjectSchema) -> MagicError {
    MagicError(.notFound, "There is no such object.", type: schema.typeName)
  }
}

package import MagicSchema
package import Magical

extension MagicError {
  /// A conversion's error with the place it happened.
  package init(_ error: MagicalError, schema: ObjectSchema, column: ColumnSchema, row: Int64?) {
    let code: Code
    switch error {
    case .cannotEncode: code = .cannotEncode
    case .cannotDecode: code = .cannotDecode
    }
    let place = row.map { " in row \($0)" } ?? ""
    self.init(
      code, "Column \(column.name) of table \(schema.tableName)\(place): \(error).",
      type: schema.typeName, property: column.property, cause: error)
  }

  /// The same for a key of a collection.
  package init(
    _ error: MagicalError, schema: ObjectSchema, collection: CollectionColumn, row: Int64
  ) {
    let code: Code =
      switch error {
      case .cannotEncode: .cannotEncode
      case .cannotDecode: .cannotDecode
      }
    self.init(
      code, "A key of the links of row \(row) in table \(schema.tableName): \(error).",
      type: schema.typeName, property: collection.property, cause: error)
  }

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

  package static func noObject(_ schema: ObjectSchema) -> MagicError {
    MagicError(.notFound, "There is no such object.", type: schema.typeName)
  }
}

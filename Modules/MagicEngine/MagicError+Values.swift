package import MagicSchema
package import Magical

extension MagicError {
  /// Creates an error from a conversion error, with the table, column and row of the value.
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

  /// Creates the same error for a key of a collection.
  package init(
    _ error: MagicalError, schema: ObjectSchema, collection: CollectionColumn, row: Int64
  ) {
    let code: Code =
      switch error {
      case .cannotEncode: .cannotEncode
      case .cannotDecode: .cannotDecode
      }
    self.init(
      code,
      "A key of collection \(collection.name), row \(row) of table \(schema.tableName): \(error).",
      type: schema.typeName, property: collection.property, cause: error)
  }

  /// The error for a row that refers to a row that does not exist. Only a connection with foreign
  /// keys disabled can write such a reference.
  ///
  /// - Parameter target: the row ID in the reference, or nil if the value is not a row ID.
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

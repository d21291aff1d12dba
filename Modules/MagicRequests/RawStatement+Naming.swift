package import MagicSchema

/// Names are in double quotes, as in standard SQL.
extension RawStatement {
  /// Appends the quoted name of a type's table.
  package mutating func append(tableOf schema: ObjectSchema) {
    note(schema)
    text += schema.tableName.quoted
  }

  /// Appends the quoted name of a type's column, without its table.
  package mutating func append(_ column: ColumnSchema, of schema: ObjectSchema) {
    note(schema)
    text += column.name.quoted
  }

  /// Appends the quoted name of a collection's join table.
  package mutating func append(linksOf column: CollectionColumn, of schema: ObjectSchema) {
    note(schema)
    text += column.joinTable(of: schema).quoted
  }
}

package import MagicSchema

/// Names stand in double quotes, as in standard SQL.
extension RawStatement {
  /// Names a type's table, quoted.
  package mutating func append(tableOf schema: ObjectSchema) {
    note(schema)
    text += schema.tableName.quoted
  }

  /// Names a column of a type, quoted and without its table.
  package mutating func append(_ column: ColumnSchema, of schema: ObjectSchema) {
    note(schema)
    text += column.name.quoted
  }

  /// Names the join table of a collection, quoted.
  package mutating func append(linksOf column: CollectionColumn, of schema: ObjectSchema) {
    note(schema)
    text += column.joinTable(of: schema).quoted
  }
}

package import MagicSchema

/// Names are in double quotes, as in standard SQL.
extension RawStatement {
  /// Appends the quoted name of a type's table.
  package mutating func append(tableOf schema: ObjectSchema) {
    append(name: schema.tableName.quoted, .table, of: schema)
  }

  /// Appends the quoted name of a type's column.
  ///
  /// - Parameters:
  ///   - index: the index of the column in the type; ``ColumnPath/rowID`` for the row ID.
  ///   - qualifier: the name or alias of the table; nil for a column without a qualifier.
  package mutating func append(
    column index: Int, of schema: ObjectSchema, qualifiedBy qualifier: String? = nil
  ) {
    let name = index == ColumnPath.rowID ? "z_index" : schema.columns[index].name
    guard let qualifier else { return append(name: name.quoted, .column(index), of: schema) }
    append(
      name: "\(qualifier.quoted).\(name.quoted)", .qualifiedColumn(index), of: schema)
  }

  /// Appends the quoted name of a collection's join table.
  package mutating func append(linksOf column: CollectionColumn, of schema: ObjectSchema) {
    append(name: column.joinTable(of: schema).quoted, .links, of: schema)
  }
}

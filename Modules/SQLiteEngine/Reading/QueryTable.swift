package import MagicSchema
package import SQLiteTables

/// The table of a type, as queries use it.
package struct QueryTable {
  /// The quoted table name; nil if the file lacks the table.
  package let name: String?
  /// The selected expression of each column: its name, or its default if the file lacks the
  /// column.
  package let columns: [String]
  /// The join tables of the collections.
  package let links: [Links]

  package struct Links {
    /// The table and the columns that contain the members.
    package let columns: LinkColumns
    /// The quoted name of the join table, even if the file lacks the table, or if the list is owned.
    package let declaredName: String
    /// Whether the file has the table.
    package let exists: Bool

    init(_ table: LinkTable, _ columns: LinkColumns, exists: Bool) {
      declaredName = table.name.quoted
      self.columns = columns
      self.exists = exists
    }
  }

  /// Creates the description of a table as the type declares it, or of an empty one if the file
  /// lacks the table.
  package init(_ schema: ObjectSchema, exists: Bool = true) throws {
    name = exists ? schema.tableName.quoted : nil
    columns = schema.columns.map(\.name.quoted)
    links = try schema.collections.map {
      let table = LinkTable(owner: schema, column: $0)
      return Links(table, try LinkColumns(table), exists: exists)
    }
  }

  /// - Parameter exists: returns whether the join table of a collection exists.
  init(_ statements: TypeStatements, exists: (LinkStatements) throws -> Bool) rethrows {
    name = statements.table
    columns = statements.expressions
    links = try zip(statements.schema.collections, statements.links).map { column, links in
      Links(
        LinkTable(owner: statements.schema, column: column), links.names,
        exists: try exists(links))
    }
  }
}

extension StoreConnection {
  /// Returns the table of a type in this file.
  package func queryTable(of schema: ObjectSchema) throws -> QueryTable {
    try statements(of: schema).map { try QueryTable($0, exists: exists) }
      ?? QueryTable(schema, exists: false)
  }
}

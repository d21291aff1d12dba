package import MagicSchema
import SQLiteTables

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
    /// The quoted table name; nil if the file lacks the table.
    package let name: String?
    /// The quoted table name, even if the file lacks the table, and the columns.
    package let declaredName: String
    package let columns: [String]

    init(_ table: LinkTable, exists: Bool) {
      declaredName = table.name.quoted
      name = exists ? declaredName : nil
      columns = ["owner", table.keyColumn, "target"].compactMap { $0?.quoted }
    }
  }

  /// Creates the description of a table as the type declares it, or of an empty one if the file
  /// lacks the table.
  package init(_ schema: ObjectSchema, exists: Bool = true) {
    name = exists ? schema.tableName.quoted : nil
    columns = schema.columns.map(\.name.quoted)
    links = schema.collections.map {
      Links(LinkTable(owner: schema, column: $0), exists: exists)
    }
  }

  init(_ statements: TypeStatements) {
    name = statements.table
    columns = statements.expressions
    links = zip(statements.schema.collections, statements.links).map { column, links in
      Links(LinkTable(owner: statements.schema, column: column), exists: links.exists)
    }
  }
}

extension StoreConnection {
  /// Returns the table of a type in this file.
  package func queryTable(of schema: ObjectSchema) throws -> QueryTable {
    try statements(of: schema).map(QueryTable.init) ?? QueryTable(schema, exists: false)
  }
}

package import MagicSchema
import SQLiteTables

/// A type's table as queries name it.
package struct QueryTable {
  /// The name as SQL; nil where the file has no such table.
  package let name: String?
  /// What is selected for each column: its name, or its default where the file has no such column.
  package let columns: [String]
  /// Where the members of each collection are.
  package let links: [Links]

  package struct Links {
    /// The name as SQL; nil where the file has no such table.
    package let name: String?
    /// What the table is called where there is one, and its columns.
    package let declaredName: String
    package let columns: [String]

    init(_ table: LinkTable, exists: Bool) {
      declaredName = table.name.quoted
      name = exists ? declaredName : nil
      columns = ["owner", table.keyColumn, "target"].compactMap { $0?.quoted }
    }
  }

  /// The table as the type declares it, or without any row where the file has none.
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
  /// A type's table in this file.
  package func queryTable(of schema: ObjectSchema) throws -> QueryTable {
    try statements(of: schema).map(QueryTable.init) ?? QueryTable(schema, exists: false)
  }
}

package import MagicPostgreSQL

/// The table of a type as queries read it.
package struct QueryTable {
  /// The quoted name; nil if the database lacks the table.
  package let name: String?
  /// The quoted names of the columns and their types.
  package let columns: [Column]
  /// The join rows of the collections.
  package let links: [Links]

  package struct Column {
    package let name: String
    package let type: PostgreSQLType

    package init(name: String, type: PostgreSQLType) {
      (self.name, self.type) = (name, type)
    }
  }

  /// The join rows of a collection.
  package struct Links {
    /// The quoted name of a table, or a subquery in parentheses; nil if a table is missing.
    package let table: String?
    package let owner: String
    package let target: String
    /// The columns by which the members of an owner are ordered.
    package let order: [String]

    package init(table: String?, owner: String, target: String, order: [String]) {
      (self.table, self.owner, self.target, self.order) = (table, owner, target, order)
    }
  }

  package init(name: String?, columns: [Column], links: [Links]) {
    (self.name, self.columns, self.links) = (name, columns, links)
  }

  /// The SQL for a FROM clause; a subquery without rows if the table does not exist.
  package var source: String {
    name
      ?? Self.empty(
        [("\"z_index\"", .bigint)]
          + columns.filter { $0.name != "\"z_index\"" }.map { ($0.name, $0.type) })
  }

  /// Returns a subquery without rows.
  static func empty(_ columns: [(name: String, type: PostgreSQLType)]) -> String {
    let list = columns.map { "\(SQLTerm.null(of: $0.type)) AS \($0.name)" }
    return "(SELECT \(list.joined(separator: ", ")) LIMIT 0)"
  }
}

extension QueryTable.Links {
  /// The SQL for a FROM clause; a subquery without rows if a table does not exist.
  package var source: String {
    table
      ?? QueryTable.empty(([owner, target] + order.filter { $0 != target }).map { ($0, .bigint) })
  }
}

extension SQLTerm {
  static func null(of type: PostgreSQLType) -> String {
    type == .text ? "NULL::text COLLATE \"C\"" : "NULL::\(type.sql)"
  }
}

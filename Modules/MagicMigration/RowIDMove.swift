import MagicSchema
package import SQLiteTables

/// Changes the row IDs of a table to the values of a column, and all references to its rows with
/// them.
package struct RowIDMove {
  package let table: String
  let column: String

  /// Returns the statements, which must run without foreign keys and triggers.
  ///
  /// Each number is first stored as its negative, so that no new row ID equals an old one that has
  /// not changed yet: a join row must be unique after each change.
  package func statements(_ references: RowReferences) -> [String] {
    let moved = references.all.flatMap { table, columns in
      columns.map { (table: table, column: $0) }
    }
    return moved.map(negative) + moved.map { negate($0.column, of: $0.table) } + [
      "UPDATE \(table.quoted) SET \"z_index\" = -\(column.quoted)", negate("z_index", of: table),
    ]
  }

  private func negative(_ reference: (table: String, column: String)) -> String {
    let (owner, name) = (reference.table.quoted, reference.column.quoted)
    // No type's table can have this name.
    let alias = "\"magic_moved\""
    return "UPDATE \(owner) SET \(name) = -(SELECT \(alias).\(column.quoted) "
      + "FROM \(table.quoted) AS \(alias) WHERE \(alias).\"z_index\" = \(owner).\(name)) "
      + "WHERE \(name) IN (SELECT \"z_index\" FROM \(table.quoted))"
  }

  private func negate(_ name: String, of table: String) -> String {
    "UPDATE \(table.quoted) SET \(name.quoted) = -\(name.quoted) WHERE \(name.quoted) IS NOT NULL"
  }
}

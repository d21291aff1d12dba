package import MagicSQLite
package import MagicSchema

extension Catalogue {
  /// Whether the file has a type's table, under its name or a former one.
  package func hasTable(of schema: ObjectSchema) throws -> Bool {
    try exists(schema.tableName) || formerTable(of: schema) != nil
  }

  /// The name of the table that a type has under a former name; nil where the file has a table under
  /// the type's name, or none that the library created under a former one.
  ///
  /// - Parameter renamings: the tables that will have been renamed by then.
  package func formerTable(
    of schema: ObjectSchema, after renamings: [(old: String, new: String)] = []
  ) throws(SQLiteError) -> String? {
    guard !schema.formerTableNames.isEmpty,
      try !willExist(schema.tableName, after: renamings)
    else { return nil }
    for former in schema.formerTableNames
    where !renamings.contains(where: { $0.new.isName(former) }) {
      // A table of other SQL is not the type's.
      guard try willExist(former, after: renamings), let name = try tableName(for: former),
        try entry(for: name) != nil
      else { continue }
      return name
    }
    return nil
  }

  private func willExist(
    _ name: String, after renamings: [(old: String, new: String)]
  ) throws(SQLiteError) -> Bool {
    if renamings.contains(where: { $0.new.isName(name) }) { return true }
    guard !renamings.contains(where: { $0.old.isName(name) }) else { return false }
    return try exists(name)
  }
}

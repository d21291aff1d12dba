import MagicEngine
package import MagicSQLite
package import MagicSchema

extension Catalogue {
  /// Whether the file has a type's table, under its current or a former name.
  package func hasTable(of schema: ObjectSchema) throws -> Bool {
    try exists(schema.tableName) || formerTable(of: schema) != nil
  }

  /// Returns the former name under which a type's table exists, or the name of the table of another
  /// program that it adopts; nil if a table has the type's current name, or if there is none.
  ///
  /// - Parameter renamings: planned renames, which count as done.
  package func formerTable(
    of schema: ObjectSchema, after renamings: [(old: String, new: String)] = []
  ) throws(SQLiteError) -> String? {
    guard !schema.formerTableNames.isEmpty || schema.adoptedTable != nil,
      try !willExist(schema.tableName, after: renamings)
    else { return nil }
    for former in schema.formerTableNames
    where !renamings.contains(where: { $0.new.isName(former) }) {
      // A table that other SQL has created is not the type's table.
      guard try willExist(former, after: renamings), let name = try tableName(for: former),
        try entry(for: name) != nil
      else { continue }
      return name
    }
    return try adoptedTable(of: schema, after: renamings)
  }

  private func adoptedTable(
    of schema: ObjectSchema, after renamings: [(old: String, new: String)]
  ) throws(SQLiteError) -> String? {
    guard let adopted = schema.adoptedTable, try willExist(adopted, after: renamings),
      !renamings.contains(where: { $0.new.isName(adopted) }),
      let name = try tableName(for: adopted), !name.lowercased().hasPrefix("magic_"),
      !name.lowercased().hasPrefix("sqlite_"),
      try entry(for: name) == nil
    else { return nil }
    return name
  }

  private func willExist(
    _ name: String, after renamings: [(old: String, new: String)]
  ) throws(SQLiteError) -> Bool {
    if renamings.contains(where: { $0.new.isName(name) }) { return true }
    guard !renamings.contains(where: { $0.old.isName(name) }) else { return false }
    return try exists(name)
  }
}

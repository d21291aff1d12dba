package import MagicSchema

/// The table of a type under a former name.
package enum FormerTable {
  /// Returns the former name under which the table of a type exists; nil if a table has the current
  /// name, or if there is none.
  ///
  /// - Parameters:
  ///   - tables: the names of the types of all tables, by the names of the tables.
  ///   - taken: the names that tables get by other renamings.
  ///   - owners: the types that the process uses. A table is no former one while such a type has it.
  package static func of(
    _ schema: ObjectSchema, among tables: [String: String], taken: [String] = [],
    _ owners: TableOwners
  ) -> String? {
    guard tables[schema.tableName] == nil else { return nil }
    return schema.formerTableNames.first { name in
      guard let type = tables[name], !taken.contains(name) else { return false }
      return owners.type(of: name)?.typeName != type
    }
  }
}

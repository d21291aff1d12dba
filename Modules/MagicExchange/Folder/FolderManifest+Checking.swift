import MagicSchema

extension FolderManifest {
  /// Checks that the tables fit together, because any program can have written the description.
  ///
  /// - Throws: `MagicError` with `.notADatabase`.
  func check() throws {
    var names: Set<String> = []
    var files: Set<String> = [Self.file, Self.assets]
    for table in tables {
      guard !table.name.isEmpty, names.insert(table.name.lowercased()).inserted else {
        throw table.invalid("two tables have one name, or a table has none", nil)
      }
      for file in [table.file] + table.collections.map(\.file) {
        guard FileNames.isValid(file), files.insert(file.lowercased()).inserted else {
          throw table.invalid("two files have one name, or a name is not that of a file", nil)
        }
      }
    }
    for table in tables { try check(table, names) }
  }

  private func check(_ table: Table, _ tables: Set<String>) throws {
    var columns: Set<String> = ["z_index"]
    for column in table.columns {
      guard !column.name.isEmpty, columns.insert(column.name.lowercased()).inserted else {
        throw table.invalid("two columns have one name, or a column has none", column.name)
      }
      if let target = column.references?.table, !tables.contains(target.lowercased()) {
        throw table.invalid("a column refers to a table that is not described", column.name)
      }
    }
    for index in table.indexes {
      guard !index.columns.isEmpty, index.columns.allSatisfy({ columns.contains($0.lowercased()) })
      else { throw table.invalid("an index contains a column that is not described", nil) }
    }
    for column in table.search?.columns ?? [] where !columns.contains(column.name.lowercased()) {
      throw table.invalid("a search index contains a column that is not described", column.name)
    }
    var joins: Set<String> = tables
    for collection in table.collections {
      guard tables.contains(collection.target.lowercased()) else {
        throw table.invalid("the members of a collection are not described", collection.property)
      }
      guard !collection.joinTable.isEmpty, joins.insert(collection.joinTable.lowercased()).inserted
      else { throw table.invalid("two tables have one name", collection.property) }
    }
  }
}

import DatabaseTransfer
import MagicSchema

/// A name as the databases compare it: the case of A to Z does not matter, and other letters are equal
/// only if their bytes are.
private struct FoldedName: Hashable {
  private let bytes: [UInt8]

  init(_ name: String) { bytes = Array(name.folded.utf8) }
}

extension FolderManifest {
  /// Checks that the tables fit together, because any program can have written the description.
  ///
  /// - Throws: `MagicError` with `.notADatabase`.
  func check() throws {
    var names: Set<FoldedName> = []
    var files: Set<String> = []
    for table in tables {
      guard !table.name.isEmpty, names.insert(FoldedName(table.name)).inserted else {
        throw table.invalid("two tables have one name, or a table has none", nil)
      }
      for file in [table.file] + table.collections.map(\.file) {
        guard FileNames.isValid(file), files.insert(file.lowercased()).inserted else {
          throw table.invalid("two files have one name, or a name is not that of a file", nil)
        }
      }
    }
    for table in tables {
      try checkColumns(of: table, names)
      try checkCollections(of: table, names)
    }
  }

  private func checkColumns(of table: Table, _ tables: Set<FoldedName>) throws {
    var columns: Set<FoldedName> = [FoldedName("z_index")]
    for column in table.columns {
      guard !column.name.isEmpty, columns.insert(FoldedName(column.name)).inserted else {
        throw table.invalid("two columns have one name, or a column has none", column.name)
      }
      if let target = column.references?.table, !tables.contains(FoldedName(target)) {
        throw table.invalid("a column refers to a table that is not described", column.name)
      }
      guard !column.isAsset || column.kind == "text" else {
        throw table.invalid("the name of an asset is a text", column.name)
      }
    }
    for index in table.indexes {
      guard !index.columns.isEmpty,
        index.columns.allSatisfy({ columns.contains(FoldedName($0)) })
      else { throw table.invalid("an index contains a column that is not described", nil) }
    }
    for column in table.search?.columns ?? [] where !columns.contains(FoldedName(column.name)) {
      throw table.invalid("a search index contains a column that is not described", column.name)
    }
  }

  private func checkCollections(of table: Table, _ tables: Set<FoldedName>) throws {
    for collection in table.collections {
      let property = collection.property
      guard tables.contains(FoldedName(collection.target)) else {
        throw table.invalid("the members of a collection are not described", property)
      }
      guard !collection.isOwned || collection.kind == "list" else {
        throw table.invalid("only a list owns its members", property)
      }
      guard collection.kind == "dictionary" || collection.keys == "integer" else {
        throw table.invalid("only a dictionary has keys that are no integers", property)
      }
      let joinTable = JoinTableName.name(owner: table.name, property: property)
      guard collection.joinTable.isName(joinTable), !tables.contains(FoldedName(joinTable)) else {
        throw table.invalid("the name of a join table is not that of its collection", property)
      }
    }
  }
}

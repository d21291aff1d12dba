package import MagicSchema
import SQLiteTables

/// A table that other SQL has created and that becomes the table of a type.
package struct TableAdoption {
  package let schema: ObjectSchema
  /// The table before its rows are copied.
  var table: ForeignTable

  /// Whether the adoption replaces a table: the type's own one, or a table with two keys that
  /// becomes a join table.
  func replaces(_ name: String) -> Bool {
    table.isNamed(name)
      || schema.adoptedJoinTables.contains { $0.table.isName(name) }
  }
}

/// The adoptions of a plan, and how far it is when a table is planned.
package struct TableAdoptions {
  let catalogue: Catalogue
  var all: [TableAdoption]
  /// The types whose tables are adopted before the type that is planned.
  var done: [ObjectSchema] = []

  /// The renamings of the plan have run.
  package mutating func didRename() {
    for index in all.indices { all[index].table.didRename() }
  }

  /// Returns the adoption of a type; nil if its table is not adopted.
  func adoption(of schema: ObjectSchema) -> TableAdoption? { all.first { $0.schema === schema } }

  /// Returns the table of a type if other SQL has created it and it is not adopted yet.
  ///
  /// - Parameters:
  ///   - isPlanned: whether the table is needed when the plan runs, and not now.
  ///   - schema: the type that is planned.
  func foreignTable(
    of target: ObjectSchema, isPlanned: Bool, for schema: ObjectSchema
  ) throws -> ForeignTable? {
    if target !== schema, isPlanned, done.contains(where: { $0 === target }) { return nil }
    let table = adoption(of: target)?.table
    let name = table?.storedName ?? target.tableName
    guard try catalogue.exists(name), try catalogue.describe(name).isForeign else { return nil }
    return try table ?? ForeignTable(name, catalogue)
  }

  /// Whether a foreign key to a table refers to the table of a type.
  func isTable(_ name: String, of target: ObjectSchema) -> Bool {
    target.tableName.isName(name) || adoption(of: target)?.table.isNamed(name) ?? false
  }
}

extension ObjectSchema {
  /// The tables that the type's migrations adopt as join tables.
  var adoptedJoinTables: [(table: String, property: String)] {
    migrations.steps.flatMap(\.changes).compactMap { change in
      if case .adoptJoinTable(let table, let property) = change.kind {
        (table, property)
      } else {
        nil
      }
    }
  }
}

import MagicEngine
package import MagicSchema
package import SQLiteTables

/// Renames the table of a type whose table name has changed, and the join tables and indexes that
/// are named after it.
///
/// SQLite updates the foreign keys and triggers of other tables that refer to it.
package struct TableRenaming {
  package let old: String
  let new: String
  package let schema: ObjectSchema
  private let table: TableDescription

  /// Returns the renamings that types need, ordered so that each new name is unused when its
  /// renaming runs. If one type has taken the former name of another type's table, that other table
  /// is renamed first.
  package static func all(
    of schemas: [ObjectSchema], _ catalogue: Catalogue
  ) throws -> [TableRenaming] {
    var renamings: [TableRenaming] = []
    while let next = try schemas.lazy.compactMap({ schema in
      try renamings.contains { $0.new == schema.tableName }
        ? nil : TableRenaming(of: schema, after: renamings, catalogue)
    }).first {
      renamings.append(next)
    }
    return renamings
  }

  /// - Parameter others: the renamings that run before this one.
  /// - Returns: nil if the table exists under its current name, or under no former name.
  private init?(
    of schema: ObjectSchema, after others: [TableRenaming], _ catalogue: Catalogue
  ) throws {
    guard
      let old = try catalogue.formerTable(
        of: schema, after: others.map { ($0.old, $0.new) })
    else { return nil }
    self.old = old
    new = schema.tableName
    self.schema = schema
    var table = try catalogue.describe(old)
    table.apply(others)
    self.table = table
  }

  /// The names of the library's triggers on the table.
  private var triggers: [String] {
    TableSQL.triggers(ofTable: old, links: table.collections.map(\.linkTable))
  }

  package var operation: MigrationOperation {
    let rename = "ALTER TABLE \(old.quoted) RENAME TO \(new.quoted)"
    return MigrationOperation(
      MagicMigrationPlan.Step(
        type: schema.typeName, kind: .additive,
        summary: "the table \(old) is renamed to \(new)",
        sql: table.isForeign ? [rename] : statements(rename)))
  }

  private func statements(_ rename: String) -> [String] {
    let indexes = table.indexes.map(\.name).filter {
      $0.hasPrefix(IndexSchema.prefix(ofTable: old))
    }
    var statements = triggers.map { "DROP TRIGGER IF EXISTS \($0.quoted)" }
    // The migration that follows creates the search index under the new name.
    statements += table.search?.drop ?? []
    statements += indexes.map { "DROP INDEX \($0.quoted)" }
    statements.append(rename)
    statements += [
      set("magic_catalogue", "table_name"), set("magic_columns", "table_name"),
      set("magic_relationships", "owner_table"), set("magic_relationships", "target_table"),
    ]
    if table.columns.contains(where: \.isFile) {
      statements.append(set("magic_asset_columns", "table_name"))
    }
    for collection in table.collections {
      if let owned = collection.owned {
        statements += owned.renamingMembers(old, to: new).rename(to: owned.renaming(old, to: new))
        continue
      }
      let linkTable = self.linkTable(of: collection)
      statements += LinkChange.rename(collection.linkTable, to: linkTable)
      statements.append(
        "UPDATE \"magic_relationships\" SET \"link_table\" = \(linkTable.literal) "
          + "WHERE \"link_table\" = \(collection.linkTable.literal)")
    }
    statements.append(TableSQL.createHighWaterTrigger(of: new))
    statements +=
      AssetTriggers(table: new, columns: table.columns.filter(\.isFile).map(\.name)).create
    for collection in table.collections where collection.owned == nil {
      let target = collection.relationship.target
      statements += LinkTable.cascadeTriggers(
        of: linkTable(of: collection), owner: new, target: target.isName(old) ? new : target,
        rule: collection.relationship.rule)
    }
    return statements
  }

  /// The description of the table after the renaming.
  var renamedTable: TableDescription {
    var renamed = table
    let triggers = Set(triggers)
    renamed.objects.removeAll { triggers.contains($0.name) }
    renamed.name = new
    renamed.search = nil
    for index in renamed.collections.indices {
      let collection = renamed.collections[index]
      renamed.collections[index].relationship.owner = new
      renamed.collections[index].rename(
        to: collection.relationship.column, linkTable: linkTable(of: collection))
    }
    renamed.indexes.removeAll { $0.name.hasPrefix(IndexSchema.prefix(ofTable: old)) }
    return renamed
  }

  /// The tables with the members of owned lists.
  package var memberTables: [String] { table.collections.compactMap(\.owned?.table) }

  private func linkTable(of collection: TableDescription.Collection) -> String {
    JoinTableName.name(owner: new, property: collection.relationship.column)
  }

  private func set(_ table: String, _ column: String) -> String {
    "UPDATE \(table.quoted) SET \(column.quoted) = \(new.literal) "
      + "WHERE \(column.quoted) = \(old.literal)"
  }
}

extension TableDescription {
  /// Updates the relationships to refer to tables by their new names.
  mutating func apply(_ renamings: [TableRenaming]) {
    for renaming in renamings {
      for index in columns.indices where columns[index].toOne?.target == renaming.old {
        columns[index].toOne?.target = renaming.new
      }
      for index in collections.indices
      where collections[index].relationship.target == renaming.old {
        collections[index].relationship.target = renaming.new
      }
      owned = owned.map { $0.renaming(renaming.old, to: renaming.new) }
    }
  }
}

import MagicSQLite
import MagicSchema

/// Gives the table of a type that has another name now that name, and all that is called by it.
///
/// Foreign keys and triggers of other tables that lead to it are changed by SQLite.
struct TableRenaming {
  let old: String
  let new: String
  let schema: ObjectSchema
  private let shape: TableShape

  /// The renamings that types need, in an order in which each finds its name free: where one type
  /// has taken the former name of another, that one goes first.
  static func all(
    of schemas: [ObjectSchema], _ catalogue: Catalogue
  ) throws -> [TableRenaming] {
    var renamings: [TableRenaming] = []
    while let next = try schemas.lazy.compactMap({ schema in
      try renamings.contains { $0.new == schema.tableName }
        ? nil : TableRenaming(of: schema, behind: renamings, catalogue)
    }).first {
      renamings.append(next)
    }
    return renamings
  }

  /// - Parameter others: what will have been renamed by then.
  /// - Returns: nil where the table is there, or none under a former name.
  init?(
    of schema: ObjectSchema, behind others: [TableRenaming] = [], _ catalogue: Catalogue
  ) throws {
    func exists(_ name: String) throws -> Bool {
      if others.contains(where: { $0.new.isName(name) }) { return true }
      return try !others.contains { $0.old.isName(name) } && catalogue.exists(name)
    }
    guard !schema.formerTableNames.isEmpty, try !exists(schema.tableName) else { return nil }
    for former in schema.formerTableNames {
      // One that the library did not make is left alone, and one that another type has now.
      guard !others.contains(where: { $0.new.isName(former) }), try exists(former),
        let name = try catalogue.tableName(for: former), try catalogue.entry(for: name) != nil
      else { continue }
      old = name
      new = schema.tableName
      self.schema = schema
      var shape = try TableShape(of: name, on: catalogue.connection)
      shape.follow(others)
      self.shape = shape
      return
    }
    return nil
  }

  var work: MigrationWork {
    let triggers = TableSQL.triggers(ofTable: old, links: shape.collections.map(\.linkTable))
    let indexes = shape.indexes.map(\.name).filter {
      $0.hasPrefix(IndexSchema.prefix(ofTable: old))
    }
    var statements = triggers.map { "DROP TRIGGER IF EXISTS \($0.quoted)" }
    statements += indexes.map { "DROP INDEX \($0.quoted)" }
    statements.append("ALTER TABLE \(old.quoted) RENAME TO \(new.quoted)")
    statements += [
      set("magic_catalogue", "table_name"), set("magic_relationships", "owner_table"),
      set("magic_relationships", "target_table"),
    ]
    if shape.columns.contains(where: \.isFile) {
      statements.append(set("magic_asset_columns", "table_name"))
    }
    for collection in shape.collections {
      let table = linkTable(of: collection)
      statements += LinkChange.rename(collection.linkTable, to: table)
      statements.append(
        "UPDATE \"magic_relationships\" SET \"link_table\" = \(table.literal) "
          + "WHERE \"link_table\" = \(collection.linkTable.literal)")
    }
    statements.append(TableSQL.createHighWaterTrigger(of: new))
    statements +=
      AssetTriggers(table: new, columns: shape.columns.filter(\.isFile).map(\.name)).create
    for collection in shape.collections {
      let target = collection.relationship.target
      statements += LinkTable.cascadeTriggers(
        of: linkTable(of: collection), owner: new, target: target.isName(old) ? new : target,
        rule: collection.relationship.rule)
    }
    return MigrationWork(
      MagicMigrationPlan.Step(
        type: schema.typeName, kind: .additive,
        summary: "the table \(old) is renamed to \(new)", sql: statements))
  }

  /// The table as it will be then.
  var renamedShape: TableShape {
    var renamed = shape
    renamed.name = new
    for place in renamed.collections.indices {
      let collection = renamed.collections[place]
      renamed.collections[place].rename(
        to: collection.relationship.column, linkTable: linkTable(of: collection))
    }
    renamed.indexes.removeAll { $0.name.hasPrefix(IndexSchema.prefix(ofTable: old)) }
    return renamed
  }

  private func linkTable(of collection: TableShape.Collection) -> String {
    LinkTable.name(owner: new, property: collection.relationship.column)
  }

  private func set(_ table: String, _ column: String) -> String {
    "UPDATE \(table.quoted) SET \(column.quoted) = \(new.literal) "
      + "WHERE \(column.quoted) = \(old.literal)"
  }
}

extension TableShape {
  /// Lets relationships lead to tables under their new names.
  mutating func follow(_ renamings: [TableRenaming]) {
    for renaming in renamings {
      for place in columns.indices where columns[place].toOne?.target == renaming.old {
        columns[place].toOne?.target = renaming.new
      }
      for place in collections.indices
      where collections[place].relationship.target == renaming.old {
        collections[place].relationship.target = renaming.new
      }
    }
  }
}

import MagicSchema
import Magical
import SQLiteTables

extension TablePlanner {
  /// Plans the source of a collection's join rows.
  mutating func plan(_ column: CollectionColumn) throws {
    let link = LinkTable(owner: schema, column: column)
    for name in schema.names(of: column) {
      if let existing = table.collection(named: name) {
        matched.insert(name.folded)
        return try plan(column, link, from: existing)
      }
      if let existing = table.column(named: name), !existing.isKey {
        matched.insert(existing.name.folded)
        return try plan(column, link, from: existing)
      }
    }
    let owned = try link.owned
    table.replaceOwned(nil, by: owned)
    links.append(
      LinkChange(
        change: TableChange(
          kind: .additive, property: column.property, summary: "\(column.name) is added"),
        before: try owned.map { $0.addColumns + $0.createIndex }
          ?? [link.createTable(as: link.name), link.createIndex],
        triggers: try link.cascadeTriggers))
  }

  // MARK: From a collection

  private mutating func plan(
    _ column: CollectionColumn, _ link: LinkTable, from existing: TableDescription.Collection
  ) throws {
    let relationship = existing.relationship
    let isSameTarget = try relationship.target == column.target.tableName
    guard isSameTarget, let copy = copying(column, from: existing) else {
      let count = try statistics.linkCount(of: existing)
      return try rebuildJoinTable(
        column, link, existing, columns: nil, kind: count > 0 ? .destroying : .rewriting,
        summary: "\(column.name) is recreated without its old members",
        refusal: count > 0 ? refusal(of: existing, count) : nil)
    }
    if existing.kind != column.kind { return try convert(column, link, existing, copy) }
    if existing.owned != nil || column.isOwned {
      return try planOwned(column, link, existing, copy)
    }
    let wasDenied = relationship.rule == MagicDeleteRule.deny.rawValue
    let rule = "the delete rule of \(column.name) becomes \(column.deleteRule.rawValue)"
    guard wasDenied == (column.deleteRule == .deny) else {
      return try rebuildJoinTable(column, link, existing, columns: copy, summary: rule)
    }
    if link.name != existing.linkTable {
      links.append(
        LinkChange(
          change: TableChange(
            kind: .additive, property: column.property,
            summary: "\(relationship.column) is renamed to \(column.name)"),
          before: LinkChange.rename(existing.linkTable, to: link.name),
          triggers: try link.cascadeTriggers))
    } else if relationship.rule != column.deleteRule.rawValue {
      links.append(
        LinkChange(
          change: TableChange(kind: .additive, property: column.property, summary: rule),
          before: [LinkChange.dropCascade(link.name)], triggers: try link.cascadeTriggers))
    }
  }

  /// Returns the columns to select from the join rows of a collection to convert them to another
  /// kind of collection; nil if there is no conversion.
  private func copying(
    _ column: CollectionColumn, from existing: TableDescription.Collection
  ) -> String? {
    let keyType = column.makeKeys().map { TableSQL.declaredType($0.storageClass) }
    switch (existing.kind, column.kind) {
    case (.list, .list): return "\"owner\", \"position\", \"target\""
    case (.dictionary, .dictionary):
      return existing.keyType?.uppercased() == keyType ? "\"owner\", \"key\", \"target\"" : nil
    case (_, .set): return "DISTINCT \"owner\", \"target\""
    case (.set, .list), (.dictionary, .list):
      return "\"owner\", \(ListPositions.spacing) * row_number() OVER "
        + "(PARTITION BY \"owner\" ORDER BY \(existing.orderColumn.quoted)), \"target\""
    default: return nil
    }
  }

  private mutating func convert(
    _ column: CollectionColumn, _ link: LinkTable, _ existing: TableDescription.Collection,
    _ copy: String
  ) throws {
    let summary = "\(column.name) becomes \(column.kindText)"
    let declaration =
      "declare .convertValue(name: \"\(existing.relationship.column)\") in the type's migrations to "
      + "delete them"
    if existing.kind == .dictionary {
      let count = try statistics.linkCount(of: existing)
      return try rebuildJoinTable(
        column, link, existing, columns: copy, kind: count > 0 ? .destroying : .rewriting,
        summary: summary,
        refusal: count > 0 && !existing.mayLose
          ? "it has keys (\(RowIDText.joinRows(count))): \(declaration)" : nil)
    }
    let duplicates = column.kind == .set ? try statistics.ownersOfDuplicates(existing) : []
    try rebuildJoinTable(
      column, link, existing, columns: copy, kind: duplicates.isEmpty ? .rewriting : .destroying,
      summary: summary,
      refusal: duplicates.isEmpty || existing.mayLose
        ? nil
        : "\(RowIDText.text(duplicates, RowIDText.have)) duplicates, the same member more than once: "
          + declaration)
  }

  /// Rebuilds the join table.
  ///
  /// - Parameter columns: the columns to copy from the old join table; nil to copy no rows.
  mutating func rebuildJoinTable(
    _ column: CollectionColumn, _ link: LinkTable, _ existing: TableDescription.Collection,
    columns: String?, kind: MagicMigrationPlan.Kind = .rewriting, summary: String,
    refusal: String? = nil
  ) throws {
    let several = try column.isOwned && columns != nil ? membersOfSeveral(existing) : nil
    let statements =
      try link.owned.map {
        try moving(existing, to: $0, link, columns: columns)
      } ?? replacing(existing, by: link, columns: columns)
    table.replaceOwned(existing.owned, by: try link.owned)
    links.append(
      LinkChange(
        change: TableChange(
          kind: kind, property: column.property, summary: summary, refusal: refusal ?? several),
        before: statements, triggers: try link.cascadeTriggers))
  }

  /// Returns the statements that create a join table, copy join rows to it, and drop the old
  /// collection.
  private func replacing(
    _ existing: TableDescription.Collection, by link: LinkTable, columns: String?
  ) throws -> [String] {
    let isSameName = existing.owned == nil && link.name == existing.linkTable
    let name = isSameName ? "\(TableRebuild.prefix)\(link.name)" : link.name
    var statements = [try link.createTable(as: name)]
    if let columns {
      statements.append("INSERT INTO \(name.quoted) SELECT \(columns) FROM \(existing.source)")
    }
    statements += try statistics.drop(existing)
    if isSameName {
      statements.append("ALTER TABLE \(name.quoted) RENAME TO \(link.name.quoted)")
    }
    return statements + [link.createIndex]
  }

  // MARK: From a column

  private mutating func plan(
    _ column: CollectionColumn, _ link: LinkTable, from existing: TableDescription.Column
  ) throws {
    let count = try statistics.valueCount(of: existing)
    let isSameTarget = try existing.toOne?.target == column.target.tableName
    let isConvertible = isSameTarget && column.kind != .dictionary
    let name = existing.name
    changes.append(
      TableChange(
        kind: isConvertible || count == 0 ? .rewriting : .destroying, property: column.property,
        summary: isConvertible
          ? "\(name) becomes the \(column.kind.rawValue) \(column.name)"
          : "\(column.name) is recreated without its old values",
        refusal: isConvertible || count == 0
          ? nil
          : "\(name) is a column in the file, with values in \(rows(count)): declare "
            + ".deleteValue(name: \"\(name)\") in the type's migrations to delete them"))
    let position = column.kind == .list ? "\(ListPositions.spacing), " : ""
    let source = "FROM \(schema.tableName.quoted) WHERE \(name.quoted) IS NOT NULL"
    var statements: [String]
    var refusal: String?
    if let owned = try link.owned {
      statements = owned.addColumns
      if isConvertible {
        refusal = Self.refusal(severalOwners: try statistics.targetsOfSeveral(existing))
        statements += owned.fill(
          from: "(SELECT \"z_index\" AS \"owner\", \(position)\(name.quoted) AS \"target\" "
            + "\(source))", position: "\(ListPositions.spacing)")
      }
      statements += owned.createIndex
      table.replaceOwned(nil, by: owned)
    } else {
      statements = [try link.createTable(as: link.name)]
      if isConvertible {
        statements.append(
          "INSERT INTO \(link.name.quoted) SELECT \"z_index\", \(position)\(name.quoted) \(source)")
      }
      statements.append(link.createIndex)
    }
    links.append(
      LinkChange(
        change: TableChange(
          kind: .additive, property: column.property,
          summary: column.isOwned
            ? "the columns of \(column.name) are added"
            : "the join table of \(column.name) is created", refusal: refusal),
        before: statements, triggers: try link.cascadeTriggers))
  }
}

import MagicEngine
import MagicMigration
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLTables

extension TypePlanner {
  /// Plans the join table of a collection.
  mutating func plan(_ column: CollectionColumn) throws {
    for name in schema.names(of: column) {
      if let index = table.collection(named: name), matched.insert(name.folded).inserted {
        return try plan(column, from: table.collections[index])
      }
      if let index = table.column(named: name), !matched.contains(name.folded) {
        return try plan(column, from: table.columns[index])
      }
    }
    add(
      .additive, "\(column.name) is added",
      try TableDefinition(schema: schema).createJoinTable(column),
      property: column.property)
  }

  // MARK: From a collection

  private mutating func plan(_ column: CollectionColumn, from existing: StoredCollection) throws {
    let isSameTarget = try existing.target == column.target.tableName
    guard isSameTarget, let copy = copying(column, from: existing) else {
      let count = try rows.linkCount(of: existing)
      add(
        count > 0 ? .destroying : .rewriting, "\(column.name) is recreated without its old members",
        try replacing(existing, by: column, columns: nil), property: column.property,
        refusal: count > 0 ? refusal(of: existing, count) : nil)
      return
    }
    guard existing.kind == column.kind else { return try convert(column, existing, copy) }
    let name = column.joinTable(of: schema)
    if name != existing.joinTable {
      add(
        .additive, "\(existing.name) is renamed to \(column.name)",
        Self.rename(joinTable: existing.joinTable, to: name), property: column.property)
    }
    if existing.rule != column.deleteRule {
      add(
        .additive, "the delete rule of \(column.name) becomes \(column.deleteRule.rawValue)",
        property: column.property)
    }
    guard column.isOwned else { return }
    let several = try membersOfSeveral(existing)
    if let several {
      add(
        .additive, "the members of \(column.name) have one owner", property: column.property,
        refusal: several)
    }
  }

  static func rename(joinTable: String, to name: String) -> [String] {
    let indexes = [joinTable, name].map {
      TableDefinition.index(["target", "owner"], of: $0, isUnique: false)
    }
    return [
      "ALTER TABLE \(joinTable.quoted) RENAME TO \(name.quoted)",
      "ALTER INDEX \(indexes[0].quoted) RENAME TO \(indexes[1].quoted)",
    ]
  }

  private func membersOfSeveral(_ existing: StoredCollection) throws -> String? {
    let several = try rows.duplicates("target", in: existing)
    guard !several.isEmpty else { return nil }
    return "\(RowIDText.text(several, ("is", "are"))) a member more than once, but a member of an "
      + "owned list has one owner"
  }

  /// Returns the columns to select from the join rows of a collection to convert them to another
  /// kind of collection; nil if there is no conversion.
  private func copying(_ column: CollectionColumn, from existing: StoredCollection) -> String? {
    switch (existing.kind, column.kind) {
    case (.list, .list): "owner, position, target"
    case (.dictionary, .dictionary):
      existing.keyType == column.makeKeys().map { PostgreSQLType($0.storageClass) }
        ? "owner, key, target" : nil
    case (_, .set): "DISTINCT owner, target"
    case (.set, .list), (.dictionary, .list):
      "owner, \(ListWriter.spacing) * row_number() OVER (PARTITION BY owner "
        + "ORDER BY \(existing.orderColumn.quoted)), target"
    default: nil
    }
  }

  private mutating func convert(
    _ column: CollectionColumn, _ existing: StoredCollection, _ copy: String
  ) throws {
    let summary = "\(column.name) becomes a \(column.kind.rawValue)"
    let declaration =
      "declare .convertValue(name: \"\(existing.name)\") in the type's migrations to delete them"
    var refusal: String?
    var isDestroying = false
    if existing.kind == .dictionary {
      let count = try rows.linkCount(of: existing)
      isDestroying = count > 0
      refusal = "it has keys (\(RowIDText.joinRows(count))): \(declaration)"
    } else if column.kind == .set {
      let duplicates = try rows.duplicates("owner", with: ["target"], in: existing)
      isDestroying = !duplicates.isEmpty
      if isDestroying {
        refusal =
          "\(RowIDText.text(duplicates, RowIDText.have)) duplicates, the same member more than once: "
          + declaration
      }
    }
    if column.isOwned, let several = try membersOfSeveral(existing) {
      (isDestroying, refusal) = (true, several)
    } else if !isDestroying || mayLose(column) {
      refusal = nil
    }
    add(
      isDestroying ? .destroying : .rewriting, summary,
      try replacing(existing, by: column, columns: copy), property: column.property,
      refusal: refusal)
  }

  /// Returns the statements that create the join table of a collection, copy join rows to it, and
  /// drop the old one.
  private func replacing(
    _ existing: StoredCollection, by column: CollectionColumn, columns: String?
  ) throws -> [String] {
    let name = column.joinTable(of: schema)
    let old = "magic_old_" + ObjectSchema.fingerprint(of: existing.joinTable)
    let index = TableDefinition.index(
      ["target", "owner"], of: existing.joinTable, isUnique: false)
    // The names of the old table and its index may be needed for the new one.
    var sql = [
      "ALTER TABLE \(existing.joinTable.quoted) RENAME TO \(old.quoted)",
      "DROP INDEX IF EXISTS \(index.quoted)",
    ]
    sql += try TableDefinition(schema: schema).createJoinTable(column)
    if let columns {
      sql.append("INSERT INTO \(name.quoted) SELECT \(columns) FROM \(old.quoted)")
    }
    return sql + ["DROP TABLE \(old.quoted)"]
  }

  // MARK: From a column

  private mutating func plan(_ column: CollectionColumn, from existing: StoredColumn) throws {
    matched.insert(existing.name.folded)
    let count = existing.values == .unknown ? 1 : try rows.valueCount(of: existing, in: table)
    // A closure may have set the column to row IDs. The foreign keys of the join table are checked.
    let isReference = existing.isFree && (existing.type == nil || existing.type == .bigint)
    let isSameTarget = try existing.reference?.target == column.target.tableName
    let isConvertible = (isSameTarget || isReference) && column.kind != .dictionary
    let name = existing.name.quoted
    var sql = try TableDefinition(schema: schema).createJoinTable(column)
    var refusal: String?
    if isConvertible {
      let position = column.kind == .list ? "\(ListWriter.spacing), " : ""
      sql.append(
        "INSERT INTO \(column.joinTable(of: schema).quoted) SELECT \"z_index\", \(position)\(name) "
          + "FROM \(quotedTable) WHERE \(name) IS NOT NULL")
      if column.isOwned {
        let several = try rows.firstRows(
          "SELECT \(name) FROM \(table.storedName.quoted) WHERE \(name) IS NOT NULL "
            + "GROUP BY \(name) HAVING count(*) > 1 ORDER BY 1")
        if !several.isEmpty {
          refusal =
            "\(RowIDText.text(several, ("has", "have"))) several owners, but a member of an owned list "
            + "has one"
        }
      }
    } else if count > 0 {
      refusal =
        "\(existing.name) is a column in the database, with values in \(Self.rows(count)): declare "
        + ".deleteValue(name: \"\(existing.name)\") in the type's migrations to delete them"
    }
    add(
      isConvertible || count == 0 ? .rewriting : .destroying,
      isConvertible
        ? "\(existing.name) becomes the \(column.kind.rawValue) \(column.name)"
        : "\(column.name) is recreated without its old values",
      sql + drop(existing), property: column.property, refusal: refusal)
    forgetIndexes(over: existing.name)
    table.columns.removeAll { $0.name == existing.name }
  }
}

import MagicSQLite
import MagicSchema
import Magical
import SQLiteTables

/// Creates the tables of a copy in a new file.
struct SQLiteTableWriter {
  let connection: SQLiteConnection

  /// Creates the catalogue and the tables, with the triggers that count assets and record the texts
  /// of a search.
  func create(_ tables: [TransferredTable]) throws {
    try Catalogue(connection: connection).create()
    let hasAssets = tables.contains { $0.columns.contains(where: \.isAsset) }
    if hasAssets { try AssetTable(connection: connection).create() }
    for table in tables {
      try checkName(table)
      try connection.execute(createTable(table, owned: ownedColumns(in: table, tables)))
      let assets = table.columns.filter(\.isAsset).map(\.name)
      for sql in AssetTriggers(table: table.name, columns: assets).create {
        try connection.execute(sql)
      }
      if let search = table.search {
        for sql in searchTable(search, of: table).create { try connection.execute(sql) }
      }
      for collection in table.collections where !collection.isOwned {
        try connection.execute(
          LinkTable.createTable(
            as: collection.joinTable, collection.kind, owner: table.name, target: collection.target,
            keys: collection.keys.storageClass, rule: collection.rule))
      }
      try describe(table)
    }
    // Before there are rows and indexes, which would be built again.
    try Catalogue(connection: connection).enterCollations()
  }

  /// Creates the indexes and the other triggers, and sets the counters.
  func complete(_ tables: [TransferredTable]) throws {
    for table in tables {
      for index in table.indexes {
        let index = IndexSchema(
          table: table.name, columns: index.columns, isUnique: index.isUnique)
        try connection.execute(
          "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(index.name.quoted) "
            + "ON \(table.name.quoted) (\(index.columns.map(\.quoted).joined(separator: ", ")))")
      }
      try connection.execute(TableSQL.createHighWaterTrigger(of: table.name))
      for collection in table.collections {
        for sql in completion(of: collection, table) { try connection.execute(sql) }
      }
      try setCounters(table)
    }
  }

  static func isComplete(_ table: TransferredTable) -> Bool {
    !table.isPartial && table.hasFileDescription
  }

  /// Returns the statement that inserts a row. It has a parameter for each value.
  static func insert(_ rows: TransferredRows) -> String {
    let (names, table) = (rows.names.map(\.quoted), rows.table)
    let parameters = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    switch rows.content {
    case .objects:
      return "INSERT INTO \(table.name.quoted) (\(names.joined(separator: ", "))) "
        + "VALUES (\(parameters))"
    case .members(let collection):
      guard let owned = SQLiteRows.owned(collection, of: table) else {
        return "INSERT INTO \(collection.joinTable.quoted) (\(names.joined(separator: ", "))) "
          + "VALUES (\(parameters))"
      }
      return "UPDATE \(owned.table.quoted) SET \(owned.owner.quoted) = ?1, "
        + "\(owned.position.quoted) = ?2 WHERE \(TableSQL.zIndex.quoted) = ?3 "
        + "AND \(owned.owner.quoted) IS NULL"
    }
  }

  // MARK: Tables

  private func checkName(_ table: TransferredTable) throws {
    let reserved = [JoinTableName.prefix, "sqlite_"]
    guard !reserved.contains(where: { table.name.lowercased().hasPrefix($0) }) else {
      throw MagicError(.invalidSchema, "The name of the table is reserved.", type: table.typeName)
    }
  }

  private func createTable(_ table: TransferredTable, owned: [OwnedColumns]) -> String {
    let columns = table.columns.map { column in
      let type = TableSQL.declaredType(column.kind.storageClass)
      return "\(column.name.quoted)\(type.isEmpty ? "" : " \(type)")"
        + (column.collation.map { " COLLATE \(MagicCollation.sql(named: $0))" } ?? "")
        + (column.isNullable ? "" : " NOT NULL")
        + (column.target.map { " " + ForeignKey.clause(to: $0.table, rule: $0.rule) } ?? "")
    }
    let all =
      ["\(TableSQL.zIndex.quoted) INTEGER PRIMARY KEY"] + columns + owned.flatMap(\.definitions)
    return "CREATE TABLE \(table.name.quoted) (\(all.joined(separator: ", ")))"
  }

  /// The columns of the owned lists whose members are in a table.
  private func ownedColumns(
    in table: TransferredTable, _ tables: [TransferredTable]
  ) -> [OwnedColumns] {
    tables.flatMap { owner in
      owner.collections.filter { $0.target == table.name }
        .compactMap { SQLiteRows.owned($0, of: owner) }
    }
  }

  private func searchTable(_ search: TransferredSearch, of table: TransferredTable) -> SearchTable {
    let names = search.columns.indices.map(SearchTable.indexedColumn) + ["content=''"]
    return SearchTable(
      table: table.name, columns: search.columns.map { .init(name: $0.name, kind: $0.kind) },
      indexSQL: "CREATE VIRTUAL TABLE \(SearchTable.name(ofTable: table.name).quoted) "
        + "USING fts5(\((names + [search.options]).joined(separator: ", ")))")
  }

  private func completion(
    of collection: TransferredCollection, _ table: TransferredTable
  ) -> [String] {
    if let owned = SQLiteRows.owned(collection, of: table) { return owned.createIndex }
    return [LinkTable.createIndex(of: collection.joinTable)]
      + LinkTable.cascadeTriggers(
        of: collection.joinTable, owner: table.name, target: collection.target,
        rule: collection.rule.rawValue)
  }

  // MARK: Catalogue

  private func describe(_ table: TransferredTable) throws {
    try run(
      """
      INSERT INTO "magic_catalogue" ("table_name", "type_name", "fingerprint", "version") \
      VALUES (?, ?, ?, ?)
      """,
      [
        .text(table.name), .text(table.typeName),
        .text(Self.isComplete(table) ? table.fingerprint : ""), .integer(table.version),
      ])
    for column in table.columns {
      if column.isAsset {
        try Catalogue(connection: connection).enter(
          AssetColumn(type: table.typeName, table: table.name, column: column.name))
      }
      guard let target = column.target else { continue }
      try enter(table, column.name, "one", target.table, target.rule, nil)
    }
    for collection in table.collections {
      try enter(
        table, collection.property, collection.isOwned ? "owned" : collection.kind.rawValue,
        collection.target, collection.rule, collection.isOwned ? nil : collection.joinTable)
    }
    guard !table.properties.isEmpty else { return }
    try Catalogue(connection: connection).enter(table.properties, of: table.name)
  }

  private func enter(
    _ table: TransferredTable, _ property: String, _ kind: String, _ target: String,
    _ rule: MagicDeleteRule, _ joinTable: String?
  ) throws {
    try run(
      "INSERT INTO \"magic_relationships\" VALUES (?, ?, ?, ?, ?, ?)",
      [
        .text(table.name), .text(property), .text(kind), .text(target), .text(rule.rawValue),
        .text(orNull: joinTable),
      ])
  }

  /// The marks are only needed for row IDs and primaries that no row has any more.
  private func setCounters(_ table: TransferredTable) throws {
    let highest = "ifnull((SELECT max(\"z_index\") FROM \(table.name.quoted)), 0)"
    try run(
      """
      UPDATE "magic_catalogue" SET "high_water" = CASE WHEN ?1 > \(highest) THEN ?1 ELSE 0 END, \
      "primary_high_water" = ?2 WHERE "table_name" = ?3
      """, [.integer(table.lastRowID), .integer(table.lastPrimary), .text(table.name)])
  }

  private func run(_ sql: String, _ values: [TransferredValue]) throws(SQLiteError) {
    let statement = try connection.cachedStatement(sql)
    for (index, value) in values.enumerated() {
      try SQLiteRows.bind(value, to: statement, at: index + 1)
    }
    try statement.run()
  }
}

extension TransferredValue {
  static func text(_ text: String) -> TransferredValue { .text(Array(text.utf8)) }

  static func text(orNull text: String?) -> TransferredValue { text.map(Self.text) ?? .null }
}

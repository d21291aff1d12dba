import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

/// Finds the observed tables of a file and describes their triggers.
struct ObservedTables {
  private let connection: SQLiteConnection
  private let catalogue: Catalogue
  private let owners: TableOwners

  /// The names of the row ID column that SQLite's authorizer reports.
  private static let rowKeys: Set<String> = ["z_index", "rowid", "_rowid_", "oid"]

  init(_ connection: SQLiteConnection, _ owners: TableOwners) {
    self.connection = connection
    self.owners = owners
    catalogue = Catalogue(connection: connection)
  }

  /// Returns the existing tables that a filter observes: tables of types first, then join tables,
  /// then other tables.
  ///
  /// - Parameter number: returns the next unused number.
  func all(
    for filter: ObservationFilter, number: () -> Int
  ) throws -> [TableTriggers] {
    let types = try typeTables()
    let relationships = try catalogue.relationships().filter { !$0.isToOne }
    var rows: [TableTriggers] = []
    var links: [TableTriggers] = []
    var plain: [TableTriggers] = []
    for (key, table) in types.sorted(by: { $0.key < $1.key }) {
      let isType = filter.isAllTypes || filter.types.contains(key)
      guard isType || filter.tables.contains(key) else { continue }
      let own = relationships.filter { $0.owner.isName(table) }
      let joins = isType ? joinTypes(of: table, filter) : []
      let names = TableNames(
        table: table, columns: try columns(of: table).map(\.name),
        collections: own.map(\.column) + joins.map(\.property), rowKeys: Self.rowKeys)
      for first in stride(
        from: 0, to: max(1, names.columns.count), by: SQLiteConnection.maxDigests)
      {
        let part = names.columns[first...].prefix(SQLiteConnection.maxDigests)
        rows.append(
          TableTriggers(
            number(), table, .rows(columns: Array(part), first: first), names: names))
      }
      guard isType else { continue }
      for relationship in own {
        if let table = try linkTable(of: relationship, names, number) { links.append(table) }
      }
      for join in joins {
        if let table = try joinTable(join, of: names, number) { links.append(table) }
      }
    }
    let known = Set(links.map(\.publishedName.folded))
    for key in filter.tables.sorted() where types[key] == nil && !known.contains(key) {
      let relationship = relationships.first {
        ($0.ownedColumns?.name ?? $0.linkTable)?.isName(key) ?? false
      }
      if let relationship, let table = try linkTable(of: relationship, nil, number) {
        plain.append(table)
      } else if let table = try catalogue.tableName(for: key), try !connection.isVirtual(table) {
        plain.append(TableTriggers(number(), table, .plain, names: nil))
      }
    }
    return rows + links + plain
  }

  /// Returns whether a table stores the objects of a type.
  func isOfType(_ table: String) throws -> Bool { try typeTables()[table.folded] != nil }

  /// Returns the names of the tables of types, by their case-folded names.
  private func typeTables() throws -> [String: String] {
    guard try catalogue.exists("magic_catalogue") else { return [:] }
    let statement = try connection.cachedStatement(
      """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name COLLATE NOCASE IN \
      (SELECT "table_name" FROM "magic_catalogue")
      """)
    defer { statement.reset() }
    var tables: [String: String] = [:]
    while try statement.step() {
      let name = statement.column(0).text
      tables[name.folded] = name
    }
    return tables
  }

  private func linkTable(
    of relationship: Relationship, _ names: TableNames?, _ number: () -> Int
  ) throws -> TableTriggers? {
    if let owned = relationship.ownedColumns {
      guard let table = try catalogue.tableName(for: owned.table), try catalogue.hasColumns(owned)
      else { return nil }
      return TableTriggers(
        number(), table,
        .links(
          owner: relationship.owner, property: relationship.column, ownerColumn: owned.owner,
          key: "z_index", others: [owned.position]), names: names, publishedName: owned.name)
    }
    guard let wanted = relationship.linkTable, let table = try catalogue.tableName(for: wanted)
    else { return nil }
    let columns = try columns(of: table)
    guard let key = columns.first(where: { $0.isKey && !$0.name.isName("owner") })?.name else {
      return nil
    }
    // SQLite treats dictionary keys such as 1 and 1.0 as equal. The key is therefore also compared
    // as a value.
    let comparesKey = relationship.kind == "dictionary"
    let others = columns.map(\.name).filter { !$0.isName("owner") && (comparesKey || $0 != key) }
    return TableTriggers(
      number(), table,
      .links(
        owner: relationship.owner, property: relationship.column, key: key, others: others),
      names: names)
  }

  /// Returns the join types of a type, which the file does not record.
  private func joinTypes(of table: String, _ filter: ObservationFilter) -> [ObservedJoinType] {
    filter.joinTypes[table.folded] ?? owners.owner(of: table)?.observedJoinTypes ?? []
  }

  /// Returns the triggers of a join type for one collection; nil if its table does not exist, or
  /// lacks a column.
  private func joinTable(
    _ join: ObservedJoinType, of names: TableNames, _ number: () -> Int
  ) throws -> TableTriggers? {
    guard let table = try catalogue.tableName(for: join.table) else { return nil }
    let present = try columns(of: table).map(\.name)
    guard ([join.owner] + join.others).allSatisfy({ name in present.contains { $0.isName(name) } })
    else { return nil }
    return TableTriggers(
      number(), table,
      .links(
        owner: names.table, property: join.property, ownerColumn: join.owner, key: "z_index",
        others: join.others), names: names,
      publishedName: JoinTableName.name(owner: names.table, property: join.property))
  }

  /// Returns the columns of a table except `z_index`.
  private func columns(of table: String) throws -> [(name: String, isKey: Bool)] {
    let statement = try connection.prepare("PRAGMA main.table_info(\(table.quoted))")
    var columns: [(name: String, isKey: Bool)] = []
    while try statement.step() {
      let name = statement.column(1).text
      guard !name.isName("z_index") else { continue }
      columns.append((name, statement.column(5).integer != 0))
    }
    return columns
  }
}

extension SQLiteConnection {
  /// Returns whether a table is virtual. Virtual tables cannot have triggers.
  func isVirtual(_ table: String) throws(SQLiteError) -> Bool {
    let statement = try cachedStatement(
      "SELECT sql LIKE 'CREATE VIRTUAL%' FROM sqlite_master WHERE type = 'table' AND name = ?")
    defer { statement.reset() }
    try statement.bind(table, at: 1)
    return try statement.step() && statement.column(0).integer != 0
  }
}

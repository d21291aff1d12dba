import MagicSQLite
package import MagicSchema
import SQLiteEngine
import SQLiteTables

/// What a read looks at: a commit that changed nothing of it cannot change the result.
package struct ReadRegion: Sendable, Equatable {
  /// Tables by their folded names, with the folded names of columns; nil for all of them.
  package private(set) var tables: [String: Set<String>?] = [:]
  /// Whether any commit may change the result.
  package var isAny = false
  /// The table of which the result's rows are.
  package var root: Root?

  package struct Root: Sendable, Equatable {
    let table: String
    /// The columns that say which rows they are, and in what order.
    let deciding: Set<String>
  }

  package init() {}

  /// Whom to listen to.
  package var interest: ObservationFilter {
    var interest = ObservationFilter(tables: Set(tables.keys))
    interest.isAny = isAny
    return interest
  }

  /// A table is looked at as a whole.
  package mutating func insert(table: String) { tables[table.folded] = .some(nil) }

  /// The table of a type, and the links of its collections.
  package mutating func insert(_ schema: ObjectSchema, isLoaded: Bool) {
    insert(table: schema.tableName)
    for column in schema.collections where !(isLoaded && column.isLazy) {
      insert(table: LinkTable(owner: schema, column: column).name)
    }
  }

  mutating func insert(table: String, column: String) {
    let table = table.folded
    guard case .some(let known) = tables[table] else {
      tables[table] = column.isEmpty ? [] : [column.folded]
      return
    }
    guard var columns = known, !column.isEmpty else { return }
    columns.insert(column.folded)
    tables[table] = columns
  }

  package mutating func formUnion(_ other: ReadRegion) {
    isAny = isAny || other.isAny
    for (table, columns) in other.tables {
      guard case .some(let known) = tables[table] else {
        tables[table] = columns
        continue
      }
      if let known, let columns {
        tables[table] = known.union(columns)
      } else {
        tables[table] = .some(nil)
      }
    }
  }

  /// Whether a commit that may change a result of this region may be one of the other's.
  package func isCovered(by other: ReadRegion) -> Bool {
    if other.isAny { return true }
    guard !isAny, other.root == nil else { return false }
    return tables.allSatisfy { table, columns in
      guard case .some(let known) = other.tables[table] else { return false }
      guard let known else { return true }
      return columns?.isSubset(of: known) ?? false
    }
  }

  /// The result's rows are of a table, and a part of it says which they are.
  package mutating func setRoot(_ table: String, decidedBy part: ReadRegion) {
    guard case .some(.some(let columns)) = part.tables[table.folded] else { return }
    root = Root(table: table.folded, deciding: columns)
  }
}

extension StoreConnection {
  /// What a statement looks at.
  ///
  /// Tables of modules have no triggers: one that looks into them may change with any commit, save
  /// for those that are made of a value, such as `json_each`.
  package func region(of sql: String) throws -> ReadRegion {
    // A statement is compiled for the schema that the connection knows; a step brings that up to date.
    _ = try isView("")
    var region = ReadRegion()
    for read in try connection.reads(of: sql) {
      let table = read.table
      guard !table.hasPrefix("sqlite_") else {
        region.isAny = true
        continue
      }
      // What is neither a table nor a view is a name of the statement's own. A view's tables are
      // there too; it is one to look at, because it may come to mean something else.
      guard try Catalogue(connection: connection).exists(table) else {
        if try isView(table) { region.insert(table: table) }
        // The functions that yield settings and statistics are of the whole file.
        if table.folded.hasPrefix("pragma_") || table.isName("dbstat") { region.isAny = true }
        continue
      }
      if try connection.isVirtual(table) {
        region.isAny = true
      } else {
        region.insert(table: table, column: read.column)
      }
    }
    // SQLite does not say that it reads columns which a join has in common, by USING or NATURAL.
    let opened = try connection.tablesOpened(by: sql)
    let joins = try hasCommonColumns(sql, in: region)
    for table in opened where joins || region.tables[table.folded] == nil {
      region.insert(table: table)
    }
    return region
  }

  /// Whether a statement, or a view that it looks at, may join tables by columns in common.
  private func hasCommonColumns(_ sql: String, in region: ReadRegion) throws -> Bool {
    func mentions(_ text: String) -> Bool {
      let words = text.uppercased()
      return words.contains("USING") || words.contains("NATURAL")
    }
    if mentions(sql) { return true }
    let views = try connection.cachedStatement(
      "SELECT name, sql FROM sqlite_master WHERE type = 'view'")
    defer { views.reset() }
    while try views.step() {
      if region.tables[views.column(0).text.folded] != nil, mentions(views.column(1).text) {
        return true
      }
    }
    return false
  }
}

extension StoreConnection {
  private func isView(_ name: String) throws -> Bool {
    let statement = try connection.cachedStatement(
      "SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = ? COLLATE NOCASE")
    defer { statement.reset() }
    try statement.bind(name, at: 1)
    return try statement.step()
  }

  /// The number that the file's schema has: another one after every change of a table or a view.
  package func fileSchemaVersion() throws -> Int64 { try connection.schemaVersion() ?? 0 }
}

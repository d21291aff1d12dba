import Foundation
import MagicSQLite

extension InspectionReader {
  /// The maximum number of types, properties and relationships that are read. A file of an app has
  /// fewer.
  static let schemaLimit = 20_000

  /// Returns what the file contains, without its rows.
  ///
  /// - Throws: ``InspectionError``: `newerFormat`, `damaged` and others.
  public func database() throws -> InspectedDatabase {
    try snapshot { try readDatabase() }
  }

  private func readDatabase() throws -> InspectedDatabase {
    let tables = try fileTables()
    guard tables["magic_format"] == .table else {
      return InspectedDatabase(
        format: nil, identifier: nil, storeNumber: 0, types: [], otherTables: tables.keys.sorted(),
        problems: [])
    }
    let format = try integer("SELECT version FROM magic_format") ?? 0
    guard format <= InspectedDatabase.newestFormat else {
      throw InspectionError(
        .newerFormat,
        "The file has format \(format). This program reads formats up to \(InspectedDatabase.newestFormat)."
      )
    }
    let reading = try SchemaReading(
      FileSchema(reader: self, tables: tables, format: Int(format)))
    let typeTables = Set(reading.types.map(\.table)).union(reading.joinTables)
    let others = tables.keys.filter { !typeTables.contains($0) && !$0.hasPrefix("magic_") }
    return InspectedDatabase(
      format: Int(format),
      identifier: try map("SELECT database_id FROM magic_format", limit: 1) { $0.text(0) }.first
        ?? nil,
      storeNumber: format < 3
        ? 0 : Int(truncatingIfNeeded: try integer("SELECT store_number FROM magic_format") ?? 0),
      types: reading.types,
      otherTables: others.sorted(), problems: reading.problems)
  }

  /// The tables and views of the file, without those of SQLite.
  func fileTables() throws -> [String: TableKind] {
    var tables: [String: TableKind] = [:]
    let sql = """
      SELECT name, type, sql LIKE 'CREATE VIRTUAL%' FROM sqlite_master \
      WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite^_%' ESCAPE '^'
      """
    try rows(sql) { statement in
      guard let name = statement.text(0) else { return true }
      let isView = statement.text(1) == "view"
      tables[name] = isView ? .view : statement.column(2).integer != 0 ? .virtual : .table
      return tables.count < Self.schemaLimit
    }
    return tables
  }

  /// The columns of a table as the file declares them.
  func declaredColumns(of table: String) throws -> [DeclaredColumn] {
    try map(
      "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)", [.init(.text(table))],
      limit: Self.schemaLimit
    ) { statement in
      DeclaredColumn(
        name: statement.text(0) ?? "", type: statement.text(1) ?? "",
        isOptional: statement.column(2).integer == 0 && statement.column(3).integer == 0)
    }
  }

  /// The indexes of a table, in the order in which they were created.
  func indexes(of table: String) throws -> [InspectedIndex] {
    let list = try map(
      "SELECT name, \"unique\", partial FROM pragma_index_list(?) ORDER BY seq DESC",
      [.init(.text(table))], limit: Self.schemaLimit
    ) { ($0.text(0) ?? "", $0.column(1).integer != 0, $0.column(2).integer != 0) }
    return try list.map { name, isUnique, isPartial in
      let columns = try map(
        "SELECT ifnull(name, ''), coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno",
        [.init(.text(name))]
      ) { ($0.text(0) ?? "", $0.text(1) ?? "") }
      return InspectedIndex(
        name: name, columns: columns.map(\.0), collations: columns.map(\.1), isUnique: isUnique,
        isPartial: isPartial)
    }
  }
}

extension InspectionReader {
  /// Returns the SQL that creates the tables, indexes, triggers and views, in the order in which
  /// they were created.
  public func schemaSQL() throws -> [String] {
    try translatingErrors {
      try map(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid",
        limit: Self.schemaLimit
      ) { $0.text(0) ?? "" }
    }
  }

  /// Returns the statistics that `ANALYZE` has stored.
  public func statistics() throws -> [InspectedStatistics] {
    try translatingErrors {
      let exists = try integer("SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_stat1'")
      guard exists != 0 else { return [] }
      return try map("SELECT tbl, idx, stat FROM sqlite_stat1", limit: Self.schemaLimit) {
        // Words follow the numbers.
        let numbers = ($0.text(2) ?? "").split(separator: " ").map { Int($0) }
          .prefix { $0 != nil }.compactMap { $0 }
        return InspectedStatistics(
          table: $0.text(0) ?? "", index: $0.text(1), rows: numbers.first ?? 0,
          rowsPerKey: Array(numbers.dropFirst()))
      }
    }
  }
}

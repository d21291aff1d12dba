import Foundation
import MagicSQLite

/// A table that the library has not created, as Swift source describes it: a type can adopt it.
public struct ForeignTable: Hashable, Sendable {
  struct Column: Hashable, Sendable {
    let name: String
    let declaredType: String
    let isOptional: Bool
    /// The storage classes of its values.
    let classes: Set<String>
    /// What the values probably are.
    let form: InspectedForm
    var reference: Reference?
  }

  /// A foreign key of one column.
  struct Reference: Hashable, Sendable {
    let table: String
    let deleteAction: String
  }

  let name: String
  let columns: [Column]
  /// The columns of the primary key.
  let key: [String]
  /// Whether the primary key is the row ID.
  let hasRowIDKey: Bool
  /// The number of foreign keys, with those of several columns.
  let foreignKeyCount: Int
  /// Whether other tables refer to the table.
  var isReferredTo = false
  let indexes: [InspectedIndex]
  /// The views and triggers that seem to use the table.
  let users: [String]

  /// The columns of the two references of a table that contains nothing else, and can become a collection;
  /// nil for other tables.
  var joinColumns: (owner: Column, target: Column)? {
    let references = columns.filter { $0.reference != nil }
    guard foreignKeyCount == 2, references.count == 2, !isReferredTo else { return nil }
    let isPairKey = Set(key) == Set(references.map(\.name))
    let others = columns.filter { $0.reference == nil }.map(\.name)
    guard others.isEmpty && (key.isEmpty || isPairKey) || hasRowIDKey && others == key else {
      return nil
    }
    return (references[0], references[1])
  }
}

extension InspectionReader {
  /// The tables of other programs that types can adopt: neither those of types, nor virtual ones and the
  /// tables in which these store their rows, nor those in which GRDB and the original MagicData keep
  /// records about the file.
  public func foreignTables(of database: InspectedDatabase) throws -> [ForeignTable] {
    guard !database.isOfOriginalLibrary else { return [] }
    return try translatingErrors {
      let kinds = try fileTables()
      let hidden = try shadowTables().union(["grdb_migrations"])
      var targets: Set<String> = []
      var tables = try database.otherTables.filter { kinds[$0] == .table && !hidden.contains($0) }
        .map { try foreignTable($0, &targets) }
      for index in tables.indices {
        tables[index].isReferredTo = targets.contains(tables[index].name.lowercased())
      }
      return tables
    }
  }

  /// The tables in which virtual tables store their rows. SQLite lists them since version 3.37.
  private func shadowTables() throws -> Set<String> {
    let version = try map("SELECT sqlite_version()", limit: 1) { $0.text(0) ?? "" }.first ?? ""
    let numbers = version.split(separator: ".").compactMap { Int($0) }
    guard numbers.count > 1, (numbers[0], numbers[1]) >= (3, 37) else { return [] }
    return Set(
      try map(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'",
        limit: Self.schemaLimit
      ) { $0.text(0) ?? "" })
  }

  /// - Parameter targets: gets the names of the tables that the table refers to, in small letters.
  private func foreignTable(_ table: String, _ targets: inout Set<String>) throws -> ForeignTable {
    var keys: [(position: Int64, name: String)] = []
    var columns = try map(
      "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1",
      [InspectedValue(.text(table))], limit: Self.schemaLimit
    ) { row in
      let name = row.text(0) ?? ""
      let position = row.column(3).integer
      if position > 0 { keys.append((position, name)) }
      return (name, row.text(1) ?? "", row.column(2).integer == 0 && position == 0)
    }.map { name, type, isOptional in
      try foreignColumn(name, type, isOptional, of: table)
    }
    let foreignKeys = try foreignKeys(of: table)
    for reference in foreignKeys.flatMap({ $0.map(\.reference) })
    where reference.table.lowercased() != table.lowercased() {
      targets.insert(reference.table.lowercased())
    }
    // A key of several columns becomes no to-one.
    for (name, reference) in foreignKeys.filter({ $0.count == 1 }).joined() {
      if let index = columns.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
        columns[index].reference = reference
      }
    }
    let keyIndexes = try map(
      "SELECT name FROM pragma_index_list(?) WHERE origin = 'pk'", [InspectedValue(.text(table))],
      limit: 1
    ) { $0.text(0) ?? "" }
    return ForeignTable(
      name: table, columns: columns, key: keys.sorted { $0.position < $1.position }.map(\.name),
      hasRowIDKey: keys.count == 1 && keyIndexes.isEmpty, foreignKeyCount: foreignKeys.count,
      indexes: try foreignIndexes(of: table), users: try users(of: table))
  }

  /// The number of rows whose values are read.
  private static let sampledRows = 10_000

  private func foreignColumn(
    _ name: String, _ type: String, _ isOptional: Bool, of table: String
  ) throws -> ForeignTable.Column {
    let values =
      "FROM (SELECT \(name.quoted) AS value FROM \(table.quoted) LIMIT \(Self.sampledRows))"
    let classes = Set(
      try map("SELECT DISTINCT typeof(value) \(values)", limit: 5) { $0.text(0) ?? "" })
    let texts = try map("SELECT value \(values) WHERE value IS NOT NULL", limit: 100) {
      InspectedValue($0.column(0), limit: 4_096)
    }
    let found = classes.subtracting(["null"])
    return ForeignTable.Column(
      name: name, declaredType: type, isOptional: isOptional || classes.contains("null"),
      classes: found, form: Self.form(type.uppercased(), found, texts))
  }

  private static func form(
    _ type: String, _ classes: Set<String>, _ samples: [InspectedValue]
  ) -> InspectedForm {
    switch classes {
    case []:
      if type.contains("BOOL") { return .bool }
      if type.contains("INT") { return .integer }
      if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) { return .text }
      if type.isEmpty || type.contains("BLOB") { return .data }
      return .real
    case ["integer"]:
      let isBool = samples.allSatisfy { $0.integer == 0 || $0.integer == 1 }
      if type.contains("BOOL") && isBool { return .bool }
      return ["REAL", "FLOA", "DOUB"].contains(where: type.contains) ? .real : .integer
    case ["real"], ["integer", "real"]: return .real
    case ["text"]:
      let texts = samples.compactMap(\.text)
      if texts.allSatisfy({ $0.utf8.count == 36 && UUID(uuidString: $0) != nil }) { return .uuid }
      let isDate = type.contains("DATE") || type.contains("TIME")
      return isDate && texts.allSatisfy({ InspectedDate.seconds($0) != nil }) ? .date : .text
    case ["blob"]: return .data
    default: return .other("")
    }
  }

  private typealias ForeignKey = [(column: String, reference: ForeignTable.Reference)]

  private func foreignKeys(of table: String) throws -> [ForeignKey] {
    var keys: [Int64: ForeignKey] = [:]
    try rows(
      "SELECT id, \"from\", \"table\", on_delete FROM pragma_foreign_key_list(?)",
      [InspectedValue(.text(table))]
    ) { row in
      let reference = ForeignTable.Reference(
        table: row.text(2) ?? "", deleteAction: (row.text(3) ?? "").uppercased())
      keys[row.column(0).integer, default: []].append((row.text(1) ?? "", reference))
      return true
    }
    return keys.sorted { $0.key < $1.key }.map(\.value)
  }

  private func foreignIndexes(of table: String) throws -> [InspectedIndex] {
    try map(
      "SELECT name, \"unique\", partial FROM pragma_index_list(?) WHERE origin <> 'pk' ORDER BY name",
      [InspectedValue(.text(table))], limit: Self.schemaLimit
    ) { ($0.text(0) ?? "", $0.column(1).integer != 0, $0.column(2).integer != 0) }.map {
      name, isUnique, isPartial in
      let columns = try map(
        "SELECT ifnull(name, '') FROM pragma_index_info(?) ORDER BY seqno",
        [InspectedValue(.text(name))], limit: Self.schemaLimit
      ) { $0.text(0) ?? "" }
      return InspectedIndex(
        name: name, columns: columns, collations: [], isUnique: isUnique, isPartial: isPartial)
    }
  }

  /// The views and triggers whose SQL contains the name of a table.
  private func users(of table: String) throws -> [String] {
    try map(
      """
      SELECT type || ' ' || name FROM sqlite_master WHERE type IN ('view', 'trigger') \
      AND instr(lower(sql), lower(?)) > 0 ORDER BY name
      """, [InspectedValue(.text(table))], limit: 100
    ) { $0.text(0) ?? "" }
  }
}

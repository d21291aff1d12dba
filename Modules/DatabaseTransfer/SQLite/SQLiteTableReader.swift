import MagicSQLite
import MagicSchema
import Magical
import SQLiteTables

/// Reads the descriptions of the tables from a file's catalogue.
struct SQLiteTableReader {
  let connection: SQLiteConnection
  private var catalogue: Catalogue { Catalogue(connection: connection) }

  init(connection: SQLiteConnection) { self.connection = connection }

  func tables() throws -> [TransferredTable] { try catalogue.typeTables().map(table) }

  private func table(_ name: String) throws -> TransferredTable {
    let description = try catalogue.describe(name)
    guard !description.isForeign, let entry = try catalogue.entry(for: name) else {
      throw MagicError(
        .corrupt, "The table of a type does not have the row IDs of the library.", type: name)
    }
    let properties = try catalogue.properties(of: name)
    var table = TransferredTable(
      name: name, typeName: entry.typeName, version: Int64(description.version),
      fingerprint: entry.fingerprint, columns: [], indexes: [], collections: [],
      properties: properties)
    table.columns = try description.columns.filter { !$0.isKey && !$0.isDeleted }.map { column in
      try self.column(column, properties.first { $0.column?.isName(column.name) ?? false })
    }
    let names = Set(table.columns.map(\.name))
    for index in description.indexes where index.columns.allSatisfy(names.contains) {
      // An index over some rows has another name.
      let usual = IndexSchema(table: name, columns: index.columns, isUnique: index.isUnique).name
      if index.name == usual {
        table.indexes.append(.init(columns: index.columns, isUnique: index.isUnique))
      }
    }
    table.collections = try description.collections.map { try collection($0, of: properties) }
    table.search = description.search.flatMap(Self.search)
    try readCounters(&table)
    let computed = description.indexes.contains { index in
      !table.indexes.contains { $0.columns == index.columns && $0.isUnique == index.isUnique }
        && !index.columns.contains { !names.contains($0) && !$0.isEmpty }
    }
    // Without descriptions of the properties, the kinds of Boolean values and UUIDs are not known.
    table.isPartial = computed || properties.isEmpty
    table.hasFileDescription = (description.search != nil) == (table.search != nil)
    return table
  }

  private func column(
    _ column: TableDescription.Column, _ property: StoredProperty?
  ) throws -> TransferredTable.Column {
    let storageClass =
      column.type.isEmpty ? .real : MagicalStorageClass(rawValue: column.type.uppercased()) ?? .blob
    var kind = TransferredKind(storageClass)
    if property?.form == .value(.bool), kind == .integer { kind = .boolean }
    if property?.form == .value(.uuid), kind == .text { kind = .uuid }
    var result = TransferredTable.Column(
      name: column.name, kind: kind, isNullable: !column.isRequired, isAsset: column.isFile,
      collation: column.collation == TableSQL.binary ? nil : column.collation)
    if let toOne = column.toOne {
      result.target = .init(
        table: toOne.target, rule: MagicDeleteRule(rawValue: toOne.rule) ?? .deny)
    }
    return result
  }

  private func collection(
    _ collection: TableDescription.Collection, of properties: [StoredProperty]
  ) throws -> TransferredCollection {
    let relationship = collection.relationship
    guard let kind = collection.kind else {
      throw MagicError(
        .newerFormat, "A collection is of a kind that this version of the library does not know.",
        type: relationship.owner, property: relationship.column)
    }
    var keys = TransferredKind.integer
    if let type = collection.keyType {
      keys = TransferredKind(type.isEmpty ? .real : MagicalStorageClass(rawValue: type) ?? .blob)
    }
    return TransferredCollection(
      property: relationship.column, kind: kind, isOwned: relationship.isOwned,
      target: relationship.target,
      rule: MagicDeleteRule(rawValue: relationship.rule) ?? .nullify,
      joinTable: JoinTableName.name(owner: relationship.owner, property: relationship.column),
      keys: keys)
  }

  private static func search(_ search: SearchTable) -> TransferredSearch? {
    let names = search.columns.indices.map(SearchTable.indexedColumn) + ["content=''"]
    let start =
      "CREATE VIRTUAL TABLE \(search.name.quoted) USING fts5(\(names.joined(separator: ", ")), "
    guard search.indexSQL.hasPrefix(start), search.indexSQL.hasSuffix(")") else { return nil }
    return TransferredSearch(
      columns: search.columns.map { .init(name: $0.name, kind: $0.kind) },
      options: String(search.indexSQL.dropFirst(start.count).dropLast()))
  }

  private func readCounters(_ table: inout TransferredTable) throws {
    let statement = try connection.prepare(
      """
      SELECT max("high_water", ifnull((SELECT max("z_index") FROM \(table.name.quoted)), 0)), \
      "primary_high_water" FROM "magic_catalogue" WHERE "table_name" = ?
      """)
    try statement.bind(table.name, at: 1)
    guard try statement.step() else { return }
    (table.lastRowID, table.lastPrimary) = (
      statement.column(0).integer, statement.column(1).integer
    )
  }
}

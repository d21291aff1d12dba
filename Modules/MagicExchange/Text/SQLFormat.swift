import DatabaseTransfer
import MagicSchema

/// A text of SQL that creates the tables with their rows in an empty database of SQLite.
///
/// The tables of types have the names and columns of the source. Each collection has a table with the row
/// IDs of owners and members.
final class SQLFormat: TextFormat {
  static let file = "database.sql"

  private let folder: NewFolder
  private var output: NewFile?
  /// The names of the tables of collections, by those of their owners and by their properties.
  private var collections: [String: [String: String]] = [:]

  init(_ folder: NewFolder) { self.folder = folder }

  private func file() throws -> NewFile {
    if let output { return output }
    let new = try folder.create(Self.file)
    output = new
    return new
  }

  private func write(_ line: String) throws {
    let file = try file()
    file.bytes += line.utf8
    file.bytes.append(UInt8(ascii: "\n"))
    try file.didAppend()
  }

  // MARK: Tables

  func create(_ tables: [TransferredTable]) throws {
    nameCollections(of: tables)
    // Rows refer to rows that follow.
    try write("PRAGMA foreign_keys = OFF;\nBEGIN TRANSACTION;")
    for table in tables {
      try write(Self.createTable(table))
      for collection in table.collections {
        try write(createTable(of: collection, table))
      }
    }
  }

  private func nameCollections(of tables: [TransferredTable]) {
    var used = Set(tables.map { $0.name.lowercased() })
    for table in tables {
      for collection in table.collections {
        let path = JoinTableName.path(owner: table.name, property: collection.property)
        var (name, number) = (path, 2)
        while !used.insert(name.lowercased()).inserted {
          name = "\(path)-\(number)"
          number += 1
        }
        collections[table.name, default: [:]][collection.property] = name
      }
    }
  }

  private static func createTable(_ table: TransferredTable) -> String {
    let columns = table.columns.map { column in
      "\(column.name.quoted)\(declaredType(column.kind))" + (column.isNullable ? "" : " NOT NULL")
        + (column.target.map { reference(to: $0.table, $0.rule) } ?? "")
    }
    let all = ["\(TransferredTable.rowID.quoted) INTEGER PRIMARY KEY"] + columns
    return "CREATE TABLE \(table.name.quoted) (\(all.joined(separator: ", ")));"
  }

  private func createTable(
    of collection: TransferredCollection, _ table: TransferredTable
  ) throws -> String {
    let owner = "\"owner\" INTEGER NOT NULL" + Self.reference(to: table.name, .cascade)
    let target = "\"target\" INTEGER NOT NULL" + Self.reference(to: collection.target, .cascade)
    var columns = [owner, target]
    var keys = ["\"owner\"", "\"target\""]
    if let key = collection.keyColumn {
      columns.insert("\(key.quoted)\(Self.declaredType(collection.keys)) NOT NULL", at: 1)
      keys[1] = key.quoted
    }
    return "CREATE TABLE \(try name(of: collection, table).quoted) "
      + "(\(columns.joined(separator: ", ")), PRIMARY KEY (\(keys.joined(separator: ", "))));"
  }

  private func name(
    of collection: TransferredCollection, _ table: TransferredTable
  ) throws -> String {
    guard let name = collections[table.name]?[collection.property] else {
      throw MagicError(.database, "The rows are not described.", type: table.name)
    }
    return name
  }

  /// Reals have no type, because the REAL affinity turns −0.0 into 0.
  private static func declaredType(_ kind: TransferredKind) -> String {
    switch kind {
    case .integer, .boolean: " INTEGER"
    case .real: ""
    case .text, .uuid: " TEXT"
    case .blob: " BLOB"
    }
  }

  private static func reference(to table: String, _ rule: MagicDeleteRule) -> String {
    let action =
      switch rule {
      case .nullify: " ON DELETE SET NULL"
      case .cascade: " ON DELETE CASCADE"
      case .deny: ""
      }
    return " REFERENCES \(table.quoted) (\(TransferredTable.rowID.quoted))\(action)"
      + " DEFERRABLE INITIALLY DEFERRED"
  }

  // MARK: Rows

  func insert(_ values: [TransferredValue], into rows: TransferredRows) throws {
    let table =
      switch rows.content {
      case .objects: rows.table.name
      case .members(let collection): try name(of: collection, rows.table)
      }
    let file = try file()
    file.bytes += "INSERT INTO \(table.quoted) VALUES (".utf8
    for (index, value) in values.enumerated() {
      if index > 0 { file.bytes += ", ".utf8 }
      guard SQLLiteral.write(value, to: &file.bytes) else {
        throw rows.error(index, "SQLite cannot store NaN", values.first)
      }
    }
    file.bytes += ");\n".utf8
    try file.didAppend()
  }

  func finish(_ rows: TransferredRows) throws {}

  func complete(_ tables: [TransferredTable]) throws {
    for table in tables {
      for index in table.indexes {
        let name = IndexSchema(
          table: table.name, columns: index.columns, isUnique: index.isUnique
        ).name
        try write(
          "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(name.quoted) ON \(table.name.quoted) "
            + "(\(index.columns.map(\.quoted).joined(separator: ", ")));")
      }
      for collection in table.collections {
        let name = try name(of: collection, table)
        try write("CREATE INDEX \("\(name) target".quoted) ON \(name.quoted) (\"target\");")
      }
    }
    try write("COMMIT;")
    try file().finish()
    output = nil
  }

  func close() {
    output?.close()
    output = nil
  }
}

import DatabaseTransfer
import MagicPostgreSQL
import MagicRequests
import MagicSchema
import Magical
import PostgreSQLTables

/// Creates the tables of a copy on a server.
struct PostgreSQLTableWriter {
  let connection: PostgreSQLConnection

  /// Creates the tables without indexes and references, so that rows are inserted faster, and the
  /// triggers that count assets.
  func create(_ tables: [TransferredTable]) throws {
    for table in tables {
      try checkNames(table)
      try checkCollations(table)
      let columns = table.columns.map { column in
        "\(column.name.quoted) \(column.kind.type.sql(column.textCollation))\(column.isNullable ? "" : " NOT NULL")"
      }
      let all = ["\(TransferredTable.rowID.quoted) bigint NOT NULL"] + columns
      try connection.execute(
        "CREATE TABLE \(table.name.quoted) (\(all.joined(separator: ", ")))")
      for column in table.columns where column.isAsset {
        try connection.execute(TableDefinition.createAssetTrigger(column.name, of: table.name))
      }
      for collection in table.collections {
        let columns = TableDefinition.joinColumns(collection.kind, collection.keys.storageClass)
        try connection.execute(
          "CREATE TABLE \(collection.joinTable.quoted) (\(columns.joined(separator: ", ")))")
      }
      try describe(table)
    }
  }

  /// Creates the keys, the indexes and the sequences.
  func complete(_ tables: [TransferredTable]) throws {
    for table in tables {
      try connection.execute(
        "ALTER TABLE \(table.name.quoted) ADD PRIMARY KEY (\(TransferredTable.rowID.quoted))")
      for index in table.indexes {
        try connection.execute(
          TableDefinition.createIndex(
            index.columns, of: table.name, isUnique: index.isUnique
          ) { name in table.columns.first { $0.name == name }?.textCollation })
      }
      try createSequences(of: table)
    }
    // References need the keys of both tables.
    for table in tables {
      for column in table.columns {
        guard let target = column.target else { continue }
        try refer(
          TableDefinition.createForeignKey(column.name, of: table.name, to: target.table), table)
      }
      for collection in table.collections {
        let constraints = TableDefinition.joinConstraints(
          collection.kind, owner: table.name, target: collection.target)
        for constraint in constraints {
          try refer("ALTER TABLE \(collection.joinTable.quoted) ADD \(constraint)", table)
        }
        try connection.execute(TableDefinition.createJoinIndex(of: collection.joinTable))
        try connection.execute("ANALYZE \(collection.joinTable.quoted)")
      }
      try connection.execute("ANALYZE \(table.name.quoted)")
    }
  }

  /// Runs SQL that adds references to a table of a type.
  private func refer(_ sql: String, _ table: TransferredTable) throws {
    do {
      try connection.execute(sql)
    } catch  where error.sqlState == "23503" {
      throw MagicError(
        .brokenReference,
        "A row refers to a row that does not exist. `magic verify` lists such rows.",
        type: table.typeName, cause: error)
    }
  }

  private func checkNames(_ table: TransferredTable) throws {
    try TableDefinition.checkNames(
      [table.name] + table.columns.map(\.name) + table.collections.map(\.joinTable),
      type: table.typeName)
    guard !table.name.lowercased().hasPrefix(JoinTableName.prefix) else {
      throw MagicError(.invalidSchema, "The name of the table is reserved.", type: table.typeName)
    }
  }

  private func checkCollations(_ table: TransferredTable) throws {
    let unknown = table.columns.first { $0.collation != nil && $0.textCollation == nil }
    guard let unknown else { return }
    throw MagicError(
      .unsupported, "The collation of the column is not one of the library.",
      type: table.typeName, property: unknown.name)
  }

  /// Creates the sequences, which continue after the highest numbers that were assigned.
  private func createSequences(of table: TransferredTable) throws {
    let size = TableDefinition.blockSize
    let first = min(max(table.lastRowID, 0), Int64.max - size) + 1
    let ids = TableDefinition.sequence(of: table.name).quoted
    try connection.execute("CREATE SEQUENCE \(ids) INCREMENT \(size)")
    try connection.execute("SELECT setval(\(ids.literal)::regclass, \(first), false)")
    guard table.countsPrimaries || table.hasRowIDPrimary || table.mayCountPrimaries else { return }
    let primaries = TableDefinition.primaries(of: table.name).quoted
    let last =
      table.hasRowIDPrimary || !table.mayCountPrimaries ? table.lastRowID : table.lastPrimary
    try connection.execute("CREATE SEQUENCE \(primaries)")
    if last > 0 {
      try connection.execute("SELECT setval(\(primaries.literal)::regclass, \(last), true)")
    }
  }

  // MARK: Catalogue

  private func describe(_ table: TransferredTable) throws {
    try run(
      Self.insertType, table.name, table.typeName, table.isPartial ? "" : table.fingerprint,
      String(table.version))
    for column in table.columns {
      guard let target = column.target else { continue }
      try run(
        Self.insertRelationship, table.name, column.name, target.table, nil, target.rule.rawValue)
    }
    for collection in table.collections {
      try run(
        Self.insertRelationship, table.name, collection.property, collection.target,
        collection.joinTable, collection.rule.rawValue)
    }
    try connection.execute(
      PropertyDescriptions.replace(
        table: table.name, fingerprint: table.fingerprint,
        with: table.properties))
    if table.hasFileDescription {
      try run(Self.insertOrigin, table.name, try TableOrigin(table).text())
    }
  }

  private func run(_ statement: PostgreSQLStatement, _ texts: String?...) throws {
    let fields = PostgreSQLFields()
    for text in texts {
      if let text { fields.append(text: text) } else { fields.appendNull() }
    }
    try connection.run(statement, fields)
  }

  private static let insertType = PostgreSQLStatement(
    "INSERT INTO magic_types VALUES ($1, $2, $3, $4::bigint)", [.text, .text, .text, .text])
  private static let insertRelationship = PostgreSQLStatement(
    "INSERT INTO magic_relationships VALUES ($1, $2, $3, $4, $5)",
    [.text, .text, .text, .text, .text])
  private static let insertOrigin = PostgreSQLStatement(
    "INSERT INTO magic_origins VALUES ($1, $2)", [.text, .text])
}

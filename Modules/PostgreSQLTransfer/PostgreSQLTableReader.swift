import DatabaseTransfer
import MagicPostgreSQL
import MagicSchema
import PostgreSQLQueries
import PostgreSQLTables

/// Reads the descriptions of the tables from the server's catalogue.
struct PostgreSQLTableReader {
  let connection: PostgreSQLConnection

  func tables() throws -> [TransferredTable] {
    try translatingErrors {
      let relationships = try connection.run(Catalogue.selectRelationships)
      let all = (0..<relationships.count).map { Relationship(relationships, $0) }
      let origins = try origins()
      let properties = try properties()
      let types = try connection.run(Self.selectTypes)
      return try (0..<types.count).map { row in
        let name = types.text(row, 0)
        var table = TransferredTable(
          name: name, typeName: types.text(row, 1), version: types.integer(row, 3),
          fingerprint: types.text(row, 2), columns: [], indexes: [], collections: [],
          properties: properties[name] ?? [])
        try read(
          &table, all.filter { $0.owner == name }, origins[name],
          isDescribed: !types.text(row, 4).isEmpty)
        return table
      }
    }
  }

  private func read(
    _ table: inout TransferredTable, _ relationships: [Relationship], _ origin: TableOrigin?,
    isDescribed: Bool
  ) throws {
    table.columns = try columns(of: table.name, relationships.filter { $0.joinTable == nil })
    table.indexes = try indexes(of: table.name)
    let origin = origin.flatMap { $0.fingerprint == table.fingerprint ? $0 : nil }
    table.collections = try relationships.compactMap { relationship in
      try relationship.joinTable.map { joinTable in
        try collection(
          relationship, joinTable, isOwned: origin?.owned.contains(relationship.property) ?? false)
      }
    }
    table.search = origin?.transferredSearch(of: table.columns)
    table.hasFileDescription = origin.map { ($0.search == nil) == (table.search == nil) } ?? false
    table.isPartial = try hasComputedIndexes(table.name) || table.fingerprint.isEmpty
    // Without a hash, a copy by an earlier version has described the table, and a migration on the server
    // did not change that.
    if origin == nil, !isDescribed { table.properties = [] }
    // A property that was renamed or dropped is described again when the type is next saved.
    let names = Set(table.columns.map(\.name) + table.collections.map(\.property))
    table.properties = table.properties.filter { property in
      property.column.map { names.contains($0) || $0 == TransferredTable.rowID } ?? true
    }
    try readCounters(&table)
  }

  // MARK: Tables

  private func hasComputedIndexes(_ table: String) throws -> Bool {
    let fields = PostgreSQLFields()
    fields.append(text: table.quoted)
    fields.append(text: TableDefinition.computedIndexPrefix)
    return try connection.run(Catalogue.selectComputedIndexes, fields).count > 0
  }

  private func columns(
    of table: String, _ toOnes: [Relationship]
  ) throws -> [TransferredTable.Column] {
    let triggers = try run(Self.selectTriggers, table.quoted)
    let names = Set((0..<triggers.count).map { triggers.text($0, 0) })
    let result = try run(Self.selectColumns, table.quoted)
    return try (0..<result.count).compactMap { row in
      let name = result.text(row, 0)
      guard name != TransferredTable.rowID else { return nil }
      let oid = UInt32(truncatingIfNeeded: result.integer(row, 1))
      guard let kind = TransferredKind(PostgreSQLType(oid: oid)) else {
        throw MagicError(
          .cannotDecode, "The column is of a type that the library does not have.", type: table,
          property: name)
      }
      var column = TransferredTable.Column(
        name: name, kind: kind, isNullable: result.integer(row, 2) == 0,
        isAsset: names.contains(TableDefinition.assetTrigger(name, of: table)))
      if kind == .text, !result.isNull(row, 3) {
        column.textCollation = MagicCollation(postgreSQLName: result.text(row, 3))
      }
      if let toOne = toOnes.first(where: { $0.property == name }) {
        column.target = .init(table: toOne.target, rule: toOne.rule)
      }
      return column
    }
  }

  private func indexes(of table: String) throws -> [TransferredTable.Index] {
    let result = try run(Self.selectIndexes, table.quoted)
    var indexes: [(name: String, index: TransferredTable.Index)] = []
    for row in 0..<result.count {
      let (name, column) = (result.text(row, 0), result.text(row, 2))
      let earlier = indexes.last?.name == name ? indexes.removeLast().index.columns : []
      indexes.append(
        (name, .init(columns: earlier + [column], isUnique: result.integer(row, 1) == 1)))
    }
    return indexes.map(\.index)
  }

  private func collection(
    _ relationship: Relationship, _ joinTable: String, isOwned: Bool
  ) throws -> TransferredCollection {
    let result = try run(Self.selectColumns, joinTable.quoted)
    var types: [String: TransferredKind] = [:]
    for row in 0..<result.count {
      let oid = UInt32(truncatingIfNeeded: result.integer(row, 1))
      types[result.text(row, 0)] = TransferredKind(PostgreSQLType(oid: oid))
    }
    let kind: LinkKind =
      types["position"] != nil ? .list : types["key"] != nil ? .dictionary : .set
    return TransferredCollection(
      property: relationship.property, kind: kind, isOwned: isOwned && kind == .list,
      target: relationship.target, rule: relationship.rule, joinTable: joinTable,
      keys: types["key"] ?? .integer)
  }

  /// Reads the highest numbers that were assigned. A block of row IDs may not be used up.
  private func readCounters(_ table: inout TransferredTable) throws {
    let highest = try connection.execute("SELECT max(\"z_index\") FROM \(table.name.quoted)")
    table.lastRowID = Int64(highest.text(0, 0)) ?? 0
    if let ids = try sequence(TableDefinition.sequence(of: table.name)) {
      let block = ids.last.addingReportingOverflow(TableDefinition.blockSize - 1)
      let end = block.overflow ? Int64.max : block.partialValue
      table.lastRowID = max(table.lastRowID, ids.isCalled ? end : ids.last - 1)
    }
    guard let primaries = try sequence(TableDefinition.primaries(of: table.name)) else { return }
    table.countsPrimaries = true
    guard primaries.isCalled else { return }
    // A server does not describe which of both it counts. Too high a row ID is harmless.
    if table.hasRowIDPrimary || table.properties.isEmpty || !table.mayCountPrimaries {
      table.lastRowID = max(table.lastRowID, primaries.last)
    }
    if !table.hasRowIDPrimary, table.mayCountPrimaries { table.lastPrimary = primaries.last }
  }

  private func sequence(_ name: String) throws -> (last: Int64, isCalled: Bool)? {
    guard try run(Self.exists, name.quoted).integer(0, 0) == 1 else { return nil }
    let result = try connection.execute("SELECT last_value, is_called FROM \(name.quoted)")
    return (Int64(result.text(0, 0)) ?? 0, result.text(0, 1) == "t")
  }

  // MARK: Descriptions of files

  private func origins() throws -> [String: TableOrigin] {
    guard try run(Self.exists, "magic_origins").integer(0, 0) == 1 else { return [:] }
    let result = try connection.execute("SELECT table_name, origin FROM magic_origins")
    var origins: [String: TableOrigin] = [:]
    for row in 0..<result.count {
      origins[result.text(row, 0)] = TableOrigin(result.text(row, 1))
    }
    return origins
  }

  private func properties() throws -> [String: [StoredProperty]] {
    // The rights on the tables may be older than this one.
    let isReadable = try connection.execute(
      "SELECT has_table_privilege('magic_columns', 'SELECT')")
    guard isReadable.text(0, 0) == "t" else { return [:] }
    let result = try connection.execute(
      """
      SELECT table_name, property, column_name, swift_type, form, details FROM magic_columns \
      ORDER BY table_name, property
      """)
    var properties: [String: [StoredProperty]] = [:]
    for row in 0..<result.count {
      func text(_ column: Int) -> String? {
        result.isNull(row, column) ? nil : result.text(row, column)
      }
      properties[text(0) ?? "", default: []].append(
        StoredProperty(
          property: text(1) ?? "", column: text(2), swiftType: text(3) ?? "",
          formText: text(4) ?? "", detailsText: text(5)))
    }
    return properties
  }

  // MARK: Statements

  private func run(_ statement: PostgreSQLStatement, _ text: String) throws -> PostgreSQLResult {
    let fields = PostgreSQLFields()
    fields.append(text: text)
    return try connection.run(statement, fields)
  }

  private static let selectTypes = PostgreSQLStatement(
    "SELECT table_name, type_name, fingerprint, version, properties FROM magic_types ORDER BY 1")
  private static let exists = PostgreSQLStatement("SELECT to_regclass($1) IS NOT NULL", [.text])
  private static let selectTriggers = PostgreSQLStatement(
    "SELECT tgname::text FROM pg_trigger WHERE tgrelid = to_regclass($1)", [.text])
  private static let selectColumns = PostgreSQLStatement(
    """
    SELECT attname::text, atttypid::bigint, attnotnull, (SELECT collname::text FROM pg_collation \
    WHERE oid = attcollation) FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
    """, [.text])
  private static let selectIndexes = PostgreSQLStatement(
    """
    SELECT c.relname::text, i.indisunique, a.attname::text FROM pg_index AS i \
    JOIN pg_class AS c ON c.oid = i.indexrelid \
    CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, position) \
    JOIN pg_attribute AS a ON \(Catalogue.isIndexedColumn) \
    WHERE i.indrelid = to_regclass($1) AND i.indisvalid AND i.indpred IS NULL \
    AND starts_with(c.relname::text, 'magic_index_') ORDER BY 1, k.position
    """, [.text])
}

extension TransferredKind {
  /// Returns nil for a type that the library does not use.
  init?(_ type: PostgreSQLType) {
    switch type {
    case .bigint: self = .integer
    case .float8: self = .real
    case .text: self = .text
    case .bytea: self = .blob
    case .boolean: self = .boolean
    case .uuid: self = .uuid
    default: return nil
    }
  }

  var type: PostgreSQLType {
    switch self {
    case .integer: .bigint
    case .real: .float8
    case .text: .text
    case .blob: .bytea
    case .boolean: .boolean
    case .uuid: .uuid
    }
  }
}

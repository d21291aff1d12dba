import Foundation
import MagicData
package import MagicInspection

/// What a database on a server says about its types: the library's tables there, and the server's catalogue.
struct ServerSchema: SchemaSource {
  let reader: ServerReader
  let tables: [String: TableKind]
  private let columns: [String: [DeclaredColumn]]
  private let indexes: [String: [InspectedIndex]]

  init(_ reader: ServerReader) throws {
    self.reader = reader
    var columns: [String: [DeclaredColumn]] = [:]
    for row in try reader.rows(Self.columnsSQL) {
      columns[row[0].text ?? "", default: []].append(
        DeclaredColumn(
          name: row[1].text ?? "", type: row[2].text ?? "", isOptional: row[3].integer == 0))
    }
    self.columns = columns
    tables = columns.mapValues { _ in .table }
    indexes = Dictionary(grouping: try reader.rows(Self.indexesSQL)) { $0[0].text ?? "" }
      .mapValues(Self.indexes)
  }

  func types() throws -> [CatalogueType] {
    try reader.rows("SELECT table_name, type_name, version FROM magic_types").map {
      CatalogueType(
        table: $0[0].text ?? "", name: $0[1].text ?? "",
        version: Int(truncatingIfNeeded: $0[2].integer ?? 0))
    }
  }

  func relationships() throws -> [CatalogueRelationship] {
    try reader.rows(
      "SELECT owner, property, target, rule, join_table FROM magic_relationships "
        + "ORDER BY owner, property"
    ).map { row in
      let joinTable = row[4].text
      return CatalogueRelationship(
        owner: row[0].text ?? "", name: row[1].text ?? "",
        kind: joinTable.map(kind(ofJoinTable:)) ?? "one", target: row[2].text ?? "",
        deleteRule: row[3].text ?? "", joinTable: joinTable)
    }
  }

  /// A user may have added columns after those of the library.
  private func kind(ofJoinTable table: String) -> String {
    switch columns[table]?.map(\.name).first(where: { $0 == "position" || $0 == "key" }) {
    case "position": "list"
    case "key": "dictionary"
    default: "set"
    }
  }

  func properties() throws -> [CatalogueProperty] {
    // The rights on the other tables may be older than this one. Without a hash, a copy by an earlier
    // version has described the table, and a migration did not change that.
    let isReadable = try reader.rows(
      "SELECT coalesce(has_table_privilege(to_regclass('magic_columns'), 'SELECT'), false)")
    guard isReadable.first?.first?.integer == 1 else { return [] }
    return try reader.rows(
      "SELECT table_name, property, column_name, swift_type, form, details FROM magic_columns "
        + "WHERE table_name IN (SELECT table_name FROM magic_types WHERE properties <> '') "
        + "ORDER BY table_name, property"
    ).map {
      CatalogueProperty(
        table: $0[0].text ?? "", name: $0[1].text ?? "", column: $0[2].text,
        swiftType: $0[3].text ?? "", form: $0[4].text ?? "", details: $0[5].text)
    }
  }

  func assetColumns() throws -> Set<[String]> {
    Set(
      try reader.rows(Self.assetsSQL).map { [$0[0].text ?? "", $0[1].text ?? ""] })
  }

  func columns(of table: String) -> [DeclaredColumn] { columns[table] ?? [] }

  func indexes(of table: String) -> [InspectedIndex] { indexes[table] ?? [] }

  /// Returns nil: the rows of a type on a server are searched by their texts.
  func searchIndex(
    of table: String, _ columns: [InspectedColumn]
  ) throws -> InspectedSearchIndex? { nil }

  func samples(of column: String, in table: String) throws -> [InspectedValue] {
    let name = column.quoted
    let value =
      switch columns[table]?.first(where: { $0.name == column })?.type {
      case "text": "left(\(name), 4096)"
      case "bytea": "substring(\(name) FROM 1 FOR 4096)"
      default: name
      }
    let rows = try reader.ifReadable {
      try reader.rows("SELECT \(value) FROM \(table.quoted) WHERE \(name) IS NOT NULL LIMIT 16")
    }
    return rows?.map { $0[0] } ?? []
  }

  /// The columns of the tables of types and of their join tables.
  private static let columnsSQL = """
    SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull \
    FROM pg_class AS c JOIN pg_attribute AS a \
    ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = (SELECT m.relnamespace FROM pg_class AS m \
    WHERE m.oid = to_regclass('magic_types')) AND c.relname::text IN (\
    SELECT table_name FROM magic_types \
    UNION SELECT join_table FROM magic_relationships WHERE join_table IS NOT NULL) \
    ORDER BY c.relname, a.attnum
    """

  /// The indexes that are complete, a row for each column. The sixth value is what differs between two
  /// indexes with the same columns; the name of the index, if no other one can replace it.
  private static let indexesSQL = """
    SELECT t.table_name, c.relname::text, i.indisunique, i.indpred IS NOT NULL, \
    coalesce(a.attname::text, ''), CASE WHEN i.indnatts > i.indnkeyatts OR i.indisexclusion \
    OR i.indisreplident OR NOT i.indimmediate THEN c.relname::text ELSE concat_ws(' ', c.relam, \
    k.order_id, k.class_id, k.option_bits, to_jsonb(i)->>'indnullsnotdistinct') END, \
    m.amname::text \
    FROM magic_types AS t \
    JOIN pg_index AS i ON i.indrelid = to_regclass(quote_ident(t.table_name)) \
    JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_am AS m ON m.oid = c.relam \
    CROSS JOIN unnest(i.indkey::int2[], i.indcollation::oid[], i.indclass::oid[], \
    i.indoption::int2[]) WITH ORDINALITY AS k (number, order_id, class_id, option_bits, place) \
    LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND (a.attnum = k.number \
    OR k.number = 0 AND pg_get_indexdef(i.indexrelid, k.place::integer, false) \
    = 'lower((' || quote_ident(a.attname) || ' COLLATE "C"))') \
    WHERE i.indisvalid AND NOT i.indisprimary AND k.place <= i.indnkeyatts \
    ORDER BY t.table_name, c.relname, k.place
    """

  /// The columns of assets: those whose trigger counts them. The column is the trigger's argument, which
  /// ends with a byte of 0.
  private static let assetsSQL = """
    SELECT t.table_name, convert_from(substring(g.tgargs FROM 1 FOR octet_length(g.tgargs) - 1), \
    'UTF8') FROM magic_types AS t JOIN pg_trigger AS g \
    ON g.tgrelid = to_regclass(quote_ident(t.table_name)) AND g.tgname LIKE 'magic\\_asset\\_%' \
    WHERE octet_length(g.tgargs) > 1
    """

  /// - Parameter rows: the columns of the indexes of a table, ordered by index.
  private static func indexes(_ rows: [[InspectedValue]]) -> [InspectedIndex] {
    let named = Dictionary(grouping: rows) { (row: [InspectedValue]) -> String in row[1].text ?? ""
    }
    return named.sorted { $0.key < $1.key }.map { name, columns in
      InspectedIndex(
        name: name, columns: columns.map { (row: [InspectedValue]) -> String in row[4].text ?? "" },
        collations: columns.map { (row: [InspectedValue]) -> String in row[5].text ?? "" },
        isUnique: columns[0][2].integer == 1, isPartial: columns[0][3].integer == 1,
        method: columns[0][6].text ?? "")
    }
  }
}

extension ServerReader {
  package func database() throws -> InspectedDatabase {
    // A message to the server is cheaper than the eight that read the types.
    let found = try rows("SELECT version, migrations FROM magic_format").first
    let (format, migrations) = (found?[0].integer ?? 0, found?[1].integer ?? 0)
    if let known = types?.database(after: migrations) { return known }
    let reading = try SchemaReading(ServerSchema(self))
    let database = InspectedDatabase(
      format: Int(format), types: reading.types, problems: reading.problems)
    types?.keep(database, after: migrations)
    return database
  }
}

/// The types that a pool has read last. Pages of a server use them for some seconds, because indexes and
/// descriptions change without a migration too.
final class KnownTypes: @unchecked Sendable {
  private let lock = NSLock()
  private var last: (database: InspectedDatabase, migrations: Int64, time: ContinuousClock.Instant)?

  private static let lifetime = Duration.seconds(5)

  /// Returns the types that were read after a number of migrations; nil if they are too old.
  func database(after migrations: Int64) -> InspectedDatabase? {
    lock.withLock {
      guard let last, last.migrations == migrations,
        last.time.duration(to: .now) < Self.lifetime
      else { return nil }
      return last.database
    }
  }

  func keep(_ database: InspectedDatabase, after migrations: Int64) {
    lock.withLock { last = (database, migrations, .now) }
  }
}

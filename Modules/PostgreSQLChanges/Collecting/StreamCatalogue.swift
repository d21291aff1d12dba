import MagicEngine
import MagicPostgreSQL
import MagicSchema

/// The tables of a database, as they were when the catalogue was read.
struct StreamCatalogue {
  /// The tables of the PostgreSQL schema, by their object identifiers.
  private(set) var tables: [UInt32: OutputMessage.Relation] = [:]
  /// The columns and collections of types' tables, by case-folded name. The row ID is no column.
  private(set) var types: [String: TableNames] = [:]
  /// The join tables, by case-folded name.
  private(set) var joinTables: [String: Join] = [:]

  /// A collection with a join table.
  struct Join {
    /// The case-folded name of the owner's table.
    let owner: String
    let property: String
  }

  static let rowID = "z_index"

  /// The object identifier of the PostgreSQL schema of the catalogue. It stays the same when the schema
  /// is renamed.
  static let schemaNumber =
    "(SELECT relnamespace FROM pg_class WHERE oid = 'magic_format'::regclass)"

  init() {}

  /// - Parameter last: the catalogue that was read before. The descriptions of tables that are the same
  ///   are reused, because filters compare them by identity.
  init(on connection: PostgreSQLConnection, after last: StreamCatalogue) throws {
    let columns = try connection.run(Self.selectColumns)
    var parts: [UInt32: (schema: String, name: String, columns: [OutputMessage.Relation.Column])]
    parts = [:]
    for row in 0..<columns.count {
      let number = UInt32(truncatingIfNeeded: columns.integer(row, 0))
      let column = OutputMessage.Relation.Column(
        name: columns.text(row, 3),
        type: UInt32(truncatingIfNeeded: columns.integer(row, 4)))
      parts[number, default: (columns.text(row, 1), columns.text(row, 2), [])]
        .columns.append(column)
    }
    for (number, part) in parts {
      tables[number] = OutputMessage.Relation(
        number: number, schema: part.schema, name: part.name, columns: part.columns)
    }
    let byName = Dictionary(
      tables.values.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one })
    let joins = try connection.run(Self.selectJoins)
    var properties: [String: [String]] = [:]
    for row in 0..<joins.count {
      let (owner, property) = (joins.text(row, 0), joins.text(row, 1))
      properties[owner, default: []].append(property)
      joinTables[joins.text(row, 2).folded] = Join(owner: owner.folded, property: property)
    }
    let names = try connection.run(Self.selectTypes)
    for row in 0..<names.count {
      let name = names.text(row, 0)
      guard let table = byName[name] else { continue }
      let description = TableNames(
        table: name, columns: table.columns.map(\.name).filter { $0 != Self.rowID },
        collections: properties[name] ?? [], rowKeys: [Self.rowID])
      let known = last.types[name.folded]
      types[name.folded] =
        known.flatMap { $0.hasSameColumns(description) ? $0 : nil } ?? description
    }
  }

  private static let selectColumns = PostgreSQLStatement(
    """
    SELECT c.oid::bigint, n.nspname::text, c.relname::text, a.attname::text, a.atttypid::bigint \
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    JOIN pg_attribute AS a ON a.attrelid = c.oid \
    WHERE c.relnamespace = \(StreamCatalogue.schemaNumber) AND c.relkind = 'r' AND a.attnum > 0 \
    AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY c.oid, a.attnum
    """)

  private static let selectJoins = PostgreSQLStatement(
    """
    SELECT owner, property, join_table FROM magic_relationships WHERE join_table IS NOT NULL \
    ORDER BY owner, property
    """)

  private static let selectTypes = PostgreSQLStatement("SELECT table_name FROM magic_types")
}

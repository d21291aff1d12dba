import MagicData
import MagicInspection

/// What `inspect` shows of a database on a server of PostgreSQL.
struct ServerReport {
  private struct Table {
    let name: String
    let typeName: String
    let rows: Int
    let bytes: Int
    let properties: Int
  }

  private struct Column {
    let name: String
    let type: String
    let isOptional: Bool
    /// The table that a relationship refers to; "" for other columns.
    let target: String
  }

  private var tables: [Table] = []
  /// The columns of the type that was named; nil without one.
  private var columns: [Column]?

  /// - Parameter type: the name of a type or a table; nil for all types.
  /// - Throws: ``CommandError`` with `notFound`.
  init(_ magic: MagicData, type: String?) async throws {
    let types = try await magic.sql(
      """
      SELECT table_name, type_name, quote_ident(table_name) FROM magic_types \
      ORDER BY type_name, table_name
      """
    ).rows(String.self, String.self, String.self)
    let named = types.filter { type == nil || $0.0 == type || $0.1 == type }
    if type != nil, named.count != 1 {
      throw CommandError(
        ExitStatus.notFound,
        named.isEmpty
          ? "The database has no type of this name."
          : "Several types have this name. Name the table.")
    }
    for (table, typeName, quoted) in named {
      let count = MagicSQL(stringLiteral: "SELECT count(*) FROM \(quoted)")
      let rows = try await magic.sql(count).value(Int.self) ?? 0
      let size = try await magic.sql(
        "SELECT pg_total_relation_size(to_regclass(\(quoted)))"
      ).value(Int.self)
      let columns = try await Self.columns(of: table, quoted, magic)
      tables.append(
        Table(
          name: table, typeName: typeName, rows: rows, bytes: size ?? 0,
          properties: columns.count))
      if type != nil { self.columns = columns }
    }
  }

  /// Returns the columns without the row ID, and the collections.
  private static func columns(
    of table: String, _ quoted: String, _ magic: MagicData
  ) async throws -> [Column] {
    try await magic.sql(
      """
      SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, \
      coalesce(r.target, '') FROM pg_attribute AS a LEFT JOIN magic_relationships AS r \
      ON r.owner = \(table) AND r.property = a.attname::text AND r.join_table IS NULL \
      WHERE a.attrelid = to_regclass(\(quoted)) AND a.attnum > 0 AND NOT a.attisdropped \
      AND a.attname <> 'z_index' \
      UNION ALL SELECT property::text, 'collection', false, target::text FROM magic_relationships \
      WHERE owner = \(table) AND join_table IS NOT NULL
      """
    ).rows(String.self, String.self, Bool.self, String.self).map {
      Column(name: $0.0, type: $0.1, isOptional: $0.2, target: $0.3)
    }
  }

  func write(to output: Output) {
    guard let columns else {
      var table = TextTable([
        .init(title: "type"), .init(title: "rows", isRight: true),
        .init(title: "size", isRight: true), .init(title: "properties", isRight: true),
        .init(title: "table"),
      ])
      for row in tables {
        table.add([
          row.typeName, row.rows.grouped, row.bytes.bytes, String(row.properties),
          row.name == row.typeName ? "" : row.name,
        ])
      }
      return table.withoutEmptyColumns().write(to: output)
    }
    var table = TextTable([
      .init(title: "column"), .init(title: "type"), .init(title: "optional"),
      .init(title: "refers to"),
    ])
    for column in columns {
      table.add([column.name, column.type, column.isOptional ? "yes" : "", column.target])
    }
    table.withoutEmptyColumns().write(to: output)
  }

  var json: JSONNode {
    .members([
      "types": .array(
        tables.map {
          .members([
            "name": .string($0.typeName), "table": .string($0.name),
            "rows": .integer(Int64($0.rows)), "bytes": .integer(Int64($0.bytes)),
            "properties": .integer(Int64($0.properties)),
          ])
        }),
      "columns": columns.map { columns in
        .array(
          columns.map {
            .members([
              "name": .string($0.name), "type": .string($0.type),
              "isOptional": .bool($0.isOptional),
              "target": $0.target.isEmpty ? .null : .string($0.target),
            ])
          })
      } ?? .null,
    ])
  }
}

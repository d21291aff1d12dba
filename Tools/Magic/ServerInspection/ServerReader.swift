import Foundation
import MagicData
import MagicInspection

/// Reads types and objects on a server of PostgreSQL, as `InspectionReader` reads those of a file. It
/// runs in a snapshot.
struct ServerReader {
  /// Runs a statement with values of named parameters.
  let run: (MagicSQL, [String: InspectedValue]) throws -> [MagicSQLRow]

  /// The maximum number of bytes of a text or of data that are kept of a row.
  static let valueLimit = 4_096

  func rows(
    _ sql: String, _ values: [String: InspectedValue] = [:]
  ) throws -> [[InspectedValue]] {
    try run(MagicSQL(stringLiteral: sql), values).map { $0.values.map(InspectedValue.init) }
  }

  // MARK: Schema

  /// Reads the types. The server has the types of columns, and not those in Swift, so the forms of
  /// columns are guesses.
  func database() throws -> InspectedDatabase {
    let columns = Dictionary(grouping: try rows(Self.columnsSQL)) { $0[0].text }
    let relationships = Dictionary(grouping: try rows(Self.relationshipsSQL)) { $0[0].text }
    let indexes = Dictionary(grouping: try rows(Self.indexesSQL)) { $0[0].text }
    let types = try rows(
      "SELECT table_name, type_name, version FROM magic_types ORDER BY type_name, table_name")
    let tables = Set(types.compactMap { $0[0].text })
    return InspectedDatabase(
      format: Int(try rows("SELECT version FROM magic_format").first?.first?.integer ?? 0),
      types: types.map { type in
        let table = type[0].text ?? ""
        let found = (relationships[table] ?? []).filter { tables.contains($0[2].text ?? "") }
        return InspectedType(
          table: table, name: type[1].text ?? "",
          columns: (columns[table] ?? []).map { Self.column($0, relationships: found) },
          relationships: found.map(Self.relationship), indexes: Self.indexes(indexes[table] ?? []),
          isDescribed: false, version: Int(type[2].integer ?? 0))
      })
  }

  private static let columnsSQL = """
    SELECT t.table_name, a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull \
    FROM magic_types AS t JOIN pg_attribute AS a \
    ON a.attrelid = to_regclass(quote_ident(t.table_name)) AND a.attnum > 0 \
    AND NOT a.attisdropped AND a.attname <> 'z_index' ORDER BY t.table_name, a.attnum
    """

  private static let relationshipsSQL = """
    SELECT r.owner, r.property, r.target, r.rule, r.join_table, c.name, c.type \
    FROM magic_relationships AS r LEFT JOIN LATERAL (\
    SELECT attname::text AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute \
    WHERE attrelid = to_regclass(quote_ident(r.join_table)) AND attname IN ('position', 'key') \
    AND NOT attisdropped ORDER BY attnum LIMIT 1) AS c ON true ORDER BY r.owner, r.property
    """

  /// The forms of the types that columns have.
  private static let forms: [String: InspectedForm] = [
    "text": .text, "bigint": .integer, "double precision": .real, "boolean": .bool, "uuid": .uuid,
    "bytea": .data,
  ]

  /// The indexes that are complete, a row for each column. The last value is what differs between two
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
    LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number \
    WHERE i.indisvalid AND NOT i.indisprimary AND k.place <= i.indnkeyatts \
    ORDER BY t.table_name, c.relname, k.place
    """

  private static func column(
    _ row: [InspectedValue], relationships: [[InspectedValue]]
  ) -> InspectedColumn {
    let (name, type) = (row[1].text ?? "", row[2].text ?? "")
    let target = relationships.first { $0[1].text == name && $0[4].isNull }?[2].text
    let form = target != nil ? .one : forms[type] ?? .other(type)
    return InspectedColumn(
      property: name, column: name, form: form,
      isGuess: form != .one && form != .bool && form != .uuid, declaredType: type,
      isOptional: row[3].integer == 0, target: target)
  }

  private static func relationship(_ row: [InspectedValue]) -> InspectedRelationship {
    let name = row[1].text ?? ""
    let collections: [String: InspectedForm] = ["position": .list, "key": .dictionary]
    let form = row[4].isNull ? .one : row[5].text.flatMap { collections[$0] } ?? .set
    return InspectedRelationship(
      property: name, storedName: name, owner: row[0].text ?? "", target: row[2].text ?? "",
      form: form, deleteRule: row[3].text,
      keyForm: form == .dictionary ? row[6].text.flatMap { Self.forms[$0] } ?? .text : nil,
      source: row[4].text.map { .joinTable($0) } ?? .column(name))
  }

  /// - Parameter rows: the columns of the indexes of a table, ordered by index.
  private static func indexes(_ rows: [[InspectedValue]]) -> [InspectedIndex] {
    let named = Dictionary(grouping: rows) { (row: [InspectedValue]) -> String in row[1].text ?? ""
    }
    var found: [InspectedIndex] = []
    for (name, columns) in named.sorted(by: { $0.key < $1.key }) {
      let names = columns.map { (row: [InspectedValue]) -> String in row[4].text ?? "" }
      found.append(
        InspectedIndex(
          name: name, columns: names,
          collations: columns.map { (row: [InspectedValue]) -> String in row[5].text ?? "" },
          isUnique: columns[0][2].integer == 1, isPartial: columns[0][3].integer == 1,
          method: columns[0][6].text ?? ""))
    }
    return found
  }

  // MARK: Objects

  /// Returns the row IDs of the objects that a text identifies: by a unique column, by `#` and the row
  /// ID, or by their label.
  func rowIDs(matching text: String, in type: InspectedType, limit: Int) throws -> [Int64] {
    if text.hasPrefix("#"), let number = Int64(text.dropFirst()) {
      return try row(number, of: type).map { [$0.rowID] } ?? []
    }
    for column in type.uniqueColumns + [type.labelColumn].compactMap({ $0 }) {
      guard let value = try? InspectedValue(typed: text, for: column),
        column.form != .bool, column.form != .uuid || UUID(uuidString: text) != nil
      else { continue }
      let found = try rows(
        """
        SELECT \(InspectedType.rowIDColumn) FROM \(type.table.quoted) \
        WHERE \(column.column.quoted) = CAST(:value AS \(column.declaredType)) \
        ORDER BY 1 LIMIT \(limit)
        """, ["value": value])
      if !found.isEmpty { return found.compactMap { $0[0].integer } }
    }
    return []
  }
}

extension ServerReader: ObjectReading {
  func reference(
    to rowID: Int64, of type: InspectedType, key: InspectedValue?
  ) throws -> InspectedReference {
    let label = type.labelColumn.map { "left(\($0.column.quoted)::text, 240)" } ?? "NULL"
    let found = try rows(
      "SELECT \(label) FROM \(type.table.quoted) WHERE \(InspectedType.rowIDColumn) = :row",
      ["row": InspectedValue(InspectedValue.Stored.integer(rowID))])
    let text = found.first?.first?.text
    let isEmpty = text?.allSatisfy(\.isWhitespace) ?? true
    return InspectedReference(
      table: type.table, rowID: rowID, label: isEmpty ? nil : text.map { InspectedText.line($0) },
      exists: !found.isEmpty,
      key: key)
  }

  func row(_ rowID: Int64, of type: InspectedType) throws -> InspectedRow? {
    let columns = type.columns.flatMap { [Self.beginning(of: $0), Self.rest(of: $0)] }
    let found = try rows(
      """
      SELECT \((["1"] + columns).joined(separator: ", ")) FROM \(type.table.quoted) \
      WHERE \(InspectedType.rowIDColumn) = :row
      """, ["row": InspectedValue(InspectedValue.Stored.integer(rowID))])
    return found.first.map { row in
      InspectedRow(
        rowID: rowID,
        values: type.columns.indices.map { index in
          Self.value(row[index * 2 + 1], rest: row[index * 2 + 2].integer ?? 0)
        })
    }
  }

  /// The number of characters that are read of a stored text, which has up to three for one.
  private static let characterLimit = 3 * valueLimit

  /// The first part of a value of a column, with at least as many bytes as are kept.
  private static func beginning(of column: InspectedColumn) -> String {
    let name = column.column.quoted
    return switch column.declaredType {
    case "text": "left(\(name), \(characterLimit))"
    case "bytea": "substring(\(name) FROM 1 FOR \(valueLimit))"
    default: name
    }
  }

  /// Whether a text has more characters than are read, or the size of data.
  private static func rest(of column: InspectedColumn) -> String {
    let name = column.column.quoted
    return switch column.declaredType {
    case "text": "substring(\(name) FROM \(characterLimit + 1) FOR 1) <> ''"
    case "bytea": "octet_length(\(name))"
    default: "NULL"
    }
  }

  private static func value(_ beginning: InspectedValue, rest: Int64) -> InspectedValue {
    switch beginning.stored {
    case .text(let text): InspectedValue(beginning: text, hasMore: rest != 0, limit: valueLimit)
    case .blob(let bytes):
      InspectedValue(beginning: bytes, byteCount: Int(rest), limit: valueLimit)
    default: beginning
    }
  }

  func count(_ query: MemberQuery, _ rowID: Int64) throws -> Int {
    let found = try rows(query.count, ["row": InspectedValue(InspectedValue.Stored.integer(rowID))])
    return Int(found.first?.first?.integer ?? 0)
  }

  func page(
    _ query: MemberQuery, _ rowID: Int64, of type: InspectedType, offset: Int, limit: Int
  ) throws -> MemberPage {
    let limit = max(1, min(limit, 10_000))
    let found = try rows(
      query.page(offset: offset, limit: limit),
      ["row": InspectedValue(InspectedValue.Stored.integer(rowID))])
    return MemberPage(
      members: try found.prefix(limit).map {
        try reference(to: $0[0].integer ?? 0, of: type, key: query.hasKeys ? $0[1] : nil)
      },
      hasMore: found.count > limit)
  }
}

extension DatabaseArgument {
  /// Reads types and objects of a database on a server, in a snapshot.
  func inspecting<Result: Sendable>(
    _ body: @Sendable (ServerReader, InspectedDatabase) throws -> Result
  ) async throws -> Result {
    try await opening { magic in
      try await magic.read { snapshot in
        try reading({ sql, values in try snapshot.sql(sql).binding(values).rows() }, body)
      }
    }
  }

  private func reading<Result>(
    _ run: (MagicSQL, [String: InspectedValue]) throws -> [MagicSQLRow],
    _ body: (ServerReader, InspectedDatabase) throws -> Result
  ) throws -> Result {
    try withoutActuallyEscaping(run) { run in
      let reader = ServerReader(run: run)
      return try body(reader, try reader.database())
    }
  }
}

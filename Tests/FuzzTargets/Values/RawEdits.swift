/// Changes of the contents of tables, made without the library.
struct RawEdits {
  private let raw: RawDatabase
  private let tables: [(name: String, columns: [String])]

  init(_ raw: RawDatabase) throws {
    self.raw = raw
    var tables: [(name: String, columns: [String])] = []
    for table in try Self.names(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
      raw)
    {
      tables.append(
        (table, try Self.names("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid", raw)))
    }
    self.tables = tables
  }

  private static func names(_ sql: String, _ raw: RawDatabase) throws -> [String] {
    try raw.rows(sql).compactMap { row in
      if case .text(let bytes)? = row.first { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
  }

  /// Removes NOT NULL from the columns of the tables of types.
  static func removeNotNull(_ raw: RawDatabase) throws {
    try raw.execute(
      "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') "
        + "WHERE type = 'table' AND sql NOT LIKE '%WITHOUT ROWID%'")
  }

  /// Makes the changes that an input encodes, 32 at most.
  func apply(_ input: inout ByteReader) {
    var count = 0
    while !input.isAtEnd, count < 32 {
      applyOne(&input)
      count += 1
    }
  }

  private func applyOne(_ input: inout ByteReader) {
    let kind = input.number(below: 8)
    let (table, columns) = tables[input.number(below: tables.count)]
    let column = columns[input.number(below: columns.count)]
    let row = Int64(input.number(below: 5))
    // The first column selects rows, because join tables have no row ID.
    let place = "(SELECT \"\(columns[0])\" FROM \"\(table)\" LIMIT 1 OFFSET \(row))"
    switch kind {
    case 0:
      let values = columns.map { _ in RawValue.drawn(&input) }
      let places = columns.map { _ in "?" }.joined(separator: ", ")
      raw.run("INSERT OR REPLACE INTO \"\(table)\" VALUES (\(places))", values)
    case 1: raw.run("DELETE FROM \"\(table)\" WHERE \"\(columns[0])\" = \(place)")
    case 2:
      raw.run(
        "UPDATE OR IGNORE \"\(table)\" SET \"\(column)\" = ?", [RawValue.drawn(&input)])
    default:
      raw.run(
        "UPDATE OR REPLACE \"\(table)\" SET \"\(column)\" = ? WHERE \"\(columns[0])\" = \(place)",
        [RawValue.drawn(&input)])
    }
  }

  /// All rows of the tables of types and of the join tables, by table.
  func content() throws -> [String: Set<[RawValue]>] {
    var content: [String: Set<[RawValue]>] = [:]
    for (table, _) in tables where !Self.own.contains(table) {
      content[table] = Set(try raw.rows("SELECT * FROM \"\(table)\""))
    }
    return content
  }

  /// The library's own tables.
  private static let own = [
    "magic_format", "magic_catalogue", "magic_relationships", "magic_assets", "magic_asset_columns",
    "magic_altered",
  ]

  /// The columns of a table, in order.
  func columns(of table: String) -> [String] { tables.first { $0.name == table }?.columns ?? [] }
}

import MagicData
import MagicInspection
import MagicServerInspection

/// What `inspect` shows of a database on a server of PostgreSQL.
struct ServerReport {
  private let types: [InspectedType]
  /// The numbers of rows; nil without the right to read them.
  private let rows: [Int?]
  private let bytes: [Int]
  private let problems: [String]

  init(_ reader: ServerReader, _ database: InspectedDatabase) throws {
    types = database.types
    problems = database.problems
    rows = try types.map { type in
      try reader.ifReadable {
        let count = try reader.rows("SELECT count(*) FROM \(type.table.quoted)")
        return Int(count.first?.first?.integer ?? 0)
      }
    }
    bytes = try types.map { type in
      let size = try reader.rows(
        "SELECT pg_total_relation_size(to_regclass(quote_ident(:table)))",
        ["table": InspectedValue(.text(type.table))])
      return Int(size.first?.first?.integer ?? 0)
    }
  }

  func write(to output: Output) {
    var table = TextTable([
      .init(title: "type"), .init(title: "rows", isRight: true),
      .init(title: "size", isRight: true), .init(title: "properties", isRight: true),
      .init(title: "indexes", isRight: true), .init(title: "table"),
    ])
    for (index, type) in types.enumerated() {
      table.add([
        type.name, rows[index]?.grouped ?? "no right", bytes[index].bytes,
        String(type.propertyCount),
        String(type.indexes.count), type.table == type.name ? "" : type.table,
      ])
    }
    table.withoutEmptyColumns().write(to: output)
    for problem in problems { output.message("problem: " + problem) }
  }

  var json: JSONNode {
    .members([
      "types": .array(
        types.enumerated().map { index, type in
          .members([
            "name": .string(type.name), "table": .string(type.table),
            "rows": .integer(orNull: rows[index]), "bytes": .integer(Int64(bytes[index])),
            "isDescribed": .bool(type.isDescribed),
            "properties": .integer(Int64(type.propertyCount)),
            "indexes": .integer(Int64(type.indexes.count)),
          ])
        }),
      "problems": .array(problems.map(JSONNode.string)),
    ])
  }
}

import MagicData
import MagicSQLite

/// The contents of the tables of the replayed types, and the property names that changes report.
struct ReplayTables: Equatable {
  struct Table {
    let name: String
    /// The columns, and the names of their properties.
    let columns: [(name: String, property: String)]
    /// The collections with the columns of their join tables.
    let collections: [(name: String, columns: [String])]
  }

  static let all = [
    Table(
      name: "ReplayTag", columns: [("name", "name"), ("parent", "parent")], collections: []),
    Table(
      name: "ReplayNote",
      columns: ["id", "text", "code", "weight", "remark", "tag", "file"].map { ($0, $0) },
      collections: []),
    Table(
      name: "ReplayFolder", columns: [("id", "id"), ("heading", "title"), ("note", "note")],
      collections: [
        ("list", ["position", "target"]), ("set", ["target"]), ("named", ["key", "target"]),
        ("parts", ["position", "target"]),
      ]),
    Table(
      name: "ReplayKeeper", columns: [("id", "id"), ("tag", "tag")],
      collections: [("folders", ["target"])]),
  ]

  /// One row: a text for each table, and for each join table.
  static let question =
    "SELECT "
    + all.flatMap { table in
      [part(table.name, "z_index", table.columns.map(\.name))]
        + table.collections.map { part("magic_\(table.name).\($0.name)", "owner", $0.columns) }
    }.joined(separator: ", ")

  private static func part(_ table: String, _ key: String, _ columns: [String]) -> String {
    let values = ([key] + columns).map { "quote(\"\($0)\")" }.joined(separator: " || '|' || ")
    return "ifnull((SELECT group_concat(\(values), char(10)) FROM \"\(table)\"), '')"
  }

  var parts: [String]

  /// The changes of each table, in the format of ``MagicChanges/text``.
  func changes(to later: ReplayTables) -> [String] {
    var place = 0
    return Self.all.map { table in
      let range = place...(place + table.collections.count)
      place = range.upperBound + 1
      guard parts[range] != later.parts[range] else { return "" }
      return Self.changes(of: table, Array(parts[range]), Array(later.parts[range]))
    }
  }

  private static func changes(of table: Table, _ old: [String], _ new: [String]) -> String {
    let (before, after) = (rows(old[0]), rows(new[0]))
    var changed: [Int64: [String]] = [:]
    for (key, now) in after {
      guard let then = before[key] else { continue }
      let names = table.columns.indices.filter { then[0][$0] != now[0][$0] }
      if !names.isEmpty { changed[key] = names.map { table.columns[$0].property } }
    }
    for (index, collection) in table.collections.enumerated() {
      let (then, now) = (rows(old[index + 1]), rows(new[index + 1]))
      for owner in Set(then.keys).union(now.keys)
      where before[owner] != nil && after[owner] != nil
        && Set(then[owner] ?? []) != Set(now[owner] ?? [])
      {
        changed[owner, default: []].append(collection.name)
      }
    }
    let all =
      after.keys.filter { before[$0] == nil }.map { ($0, "+\($0)") }
      + before.keys.filter { after[$0] == nil }.map { ($0, "-\($0)") }
      + changed.map { ($0, "\($0):" + $1.joined(separator: ",")) }
    return all.sorted { $0.0 < $1.0 }.map { $0.1 }.joined(separator: " ")
  }

  private static func rows(_ text: String) -> [Int64: [[Substring]]] {
    var rows: [Int64: [[Substring]]] = [:]
    for line in text.split(separator: "\n") {
      let values = line.split(separator: "|", omittingEmptySubsequences: false)
      rows[Int64(values[0]) ?? 0, default: []].append(Array(values.dropFirst()))
    }
    return rows
  }
}

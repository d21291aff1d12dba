import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

extension Verification {
  /// Finds the rows that refer to rows which do not exist.
  func checkReferences() throws {
    let catalogue = Catalogue(connection: connection)
    var links: [String: Relationship] = [:]
    for relationship in try catalogue.relationships() {
      if let table = relationship.linkTable { links[table] = relationship }
    }
    var tables: [String] = []
    try forEachRow(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ) { row in
      tables.append(row.column(0).text)
      return true
    }
    for table in tables {
      try attempt(table: table) {
        if let link = links[table] {
          try checkLinks(link, in: table, catalogue)
        } else {
          try checkForeignKeys(of: table, catalogue)
        }
      }
    }
  }

  private func checkForeignKeys(of table: String, _ catalogue: Catalogue) throws {
    let type = try catalogue.entry(for: table)?.typeName
    try forEachRow("PRAGMA foreign_key_check(\(table.quoted))") { violation in
      let target = violation.column(2).text
      let row = violation.column(1)
      return note(
        MagicFinding(
          .brokenReference, "The row refers to a row of \(target) that does not exist.", type: type,
          table: table, column: try column(ofKey: violation.column(3).integer, of: table),
          row: row.isNull ? nil : row.integer, target: target))
    }
  }

  private func column(ofKey key: Int64, of table: String) throws -> String? {
    let statement = try connection.cachedStatement(
      "SELECT \"from\" FROM pragma_foreign_key_list(?) WHERE \"id\" = ?")
    defer { statement.reset() }
    try statement.bind(table, at: 1)
    try statement.bind(key, at: 2)
    return try statement.step() ? statement.column(0).text : nil
  }

  /// Join rows have no row ID; a finding names the row ID of their owner.
  private func checkLinks(
    _ link: Relationship, in table: String, _ catalogue: Catalogue
  ) throws {
    let type = try catalogue.entry(for: link.owner)?.typeName
    try forEachRow(try links(of: table, "target", withoutRowIn: link.target, catalogue)) { row in
      note(
        MagicFinding(
          .brokenReference, "The collection refers to a row of \(link.target) that does not exist.",
          type: type,
          table: link.owner, column: link.column, row: row.column(0).integer, target: link.target))
    }
    try forEachRow(try links(of: table, "owner", withoutRowIn: link.owner, catalogue)) { row in
      note(
        MagicFinding(
          .brokenReference, "The owner of the members does not exist.", type: type,
          table: table, column: "owner", row: row.column(0).integer, target: link.owner))
    }
  }

  private func links(
    of table: String, _ column: String, withoutRowIn other: String, _ catalogue: Catalogue
  ) throws -> String {
    let all = "SELECT DISTINCT \"owner\" FROM \(table.quoted) AS \"link\""
    guard try catalogue.exists(other) else { return all }
    return all + " WHERE NOT EXISTS (SELECT 1 FROM \(other.quoted) "
      + "WHERE \"z_index\" = \"link\".\(column.quoted))"
  }
}

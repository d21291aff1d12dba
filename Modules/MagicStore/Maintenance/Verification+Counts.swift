import MagicFiles
import MagicSQLite
import MagicSchema

extension Verification {
  /// Compares the counts of the table of files with what rows name.
  ///
  /// - Returns: files that rows name and that the table does not know; nil where these are not all.
  func checkCounts(_ names: NamedFiles) throws -> Set<AssetName>? {
    var uncounted: Set<AssetName> = []
    var areAll = false
    try attempt(table: AssetTable.name) {
      var wantsMore = true
      if !names.columns.isEmpty {
        try forEachRow(differences(names)) { row in
          guard let name = AssetName(row.column(0).text) else { return true }
          if row.column(1).isNull { uncounted.insert(name) }
          wantsMore = note(
            MagicFinding(
              .wrongCount,
              Self.uses(row.column(2).integer) + " its file, and the database counts "
                + (row.column(1).isNull ? "none." : "\(row.column(1).integer)."),
              of: names.columns[Int(row.column(4).integer)], row: row.column(3).integer,
              file: name.text))
          return wantsMore
        }
      }
      areAll = wantsMore
      if names.isCounted {
        try forEachRow(unnamed(names)) { row in
          note(
            MagicFinding(
              .wrongCount,
              "No row names a file, and the database counts \(row.column(1).integer).",
              table: AssetTable.name, file: AssetName(row.column(0).text)?.text))
        }
      }
    }
    return areAll ? uncounted : nil
  }

  private static func uses(_ count: Int64) -> String {
    count == 1 ? "1 row names" : "\(count) rows name"
  }

  /// The names that rows hold, and where.
  private func held(_ names: NamedFiles) -> String {
    names.columns.enumerated().map { place, column in
      """
      SELECT \(column.column.quoted) AS "name", "z_index" AS "row", \(place) AS "place" \
      FROM \(column.table.quoted) \
      WHERE typeof(\(column.column.quoted)) = 'text' AND \(column.column.quoted) <> ''
      """
    }.joined(separator: " UNION ALL ")
  }

  // Beside min(), the other columns are those of the row that has the least.
  private func differences(_ names: NamedFiles) -> String {
    let counted = """
      SELECT "name", count(*) AS "count", min("row") AS "row", "place" \
      FROM (\(held(names))) GROUP BY "name"
      """
    guard names.isCounted else {
      return "SELECT \"name\", NULL, \"count\", \"row\", \"place\" FROM (\(counted))"
    }
    return """
      SELECT "held"."name", "uses", "count", "row", "place" FROM (\(counted)) AS "held" \
      LEFT JOIN "magic_assets" ON "magic_assets"."name" = "held"."name" \
      WHERE "uses" IS NOT "count"
      """
  }

  private func unnamed(_ names: NamedFiles) -> String {
    let all = "SELECT \"name\", \"uses\" FROM \"magic_assets\" WHERE \"uses\" > 0"
    guard !names.columns.isEmpty else { return all }
    return all + " AND \"name\" NOT IN (SELECT \"name\" FROM (\(held(names))))"
  }
}

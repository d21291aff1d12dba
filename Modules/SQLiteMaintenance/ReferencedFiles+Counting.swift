import MagicEngine
import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteTables

/// A file whose count of references differs from the number of rows that refer to it.
struct WrongCount {
  /// Nil if the entry is not a file name.
  let name: AssetName?
  /// Nil if the asset table has no entry for the file.
  let counted: Int64?
  /// The number of rows that refer to the file.
  let uses: Int64
  /// One of the rows that refer to the file.
  let row: (column: AssetColumn, zIndex: Int64)?

  var finding: MagicFinding {
    guard let row else {
      return MagicFinding(
        .wrongCount, "No row refers to a file, but the database counts \(counted ?? 0).",
        table: AssetTable.name, file: name?.text)
    }
    let names = uses == 1 ? "1 row refers" : "\(uses) rows refer"
    let counts = counted.map { "\($0)" } ?? "none"
    return MagicFinding(
      .wrongCount, "\(names) to the file, but the database counts \(counts).", of: row.column,
      row: row.zIndex, file: name?.text)
  }
}

extension ReferencedFiles {
  /// Calls the body with each file that rows refer to and whose count is wrong.
  ///
  /// - Parameter body: returns whether to continue.
  func forEachMiscounted(_ body: (WrongCount) throws -> Bool) throws {
    guard !columns.isEmpty else { return }
    let statement = try connection.prepare(differences)
    defer { statement.reset() }
    while try statement.step() {
      // A value that is not a file name is reported as another finding.
      guard let name = AssetName(statement.column(0).text) else { continue }
      let counted = statement.column(1)
      let wrong = WrongCount(
        name: name, counted: counted.isNull ? nil : counted.integer,
        uses: statement.column(2).integer,
        row: (columns[Int(statement.column(4).integer)], statement.column(3).integer))
      guard try body(wrong) else { return }
    }
  }

  /// Calls the body with each file that has a count and that no row refers to.
  ///
  /// - Parameter body: returns whether to continue.
  func forEachUnnamed(_ body: (WrongCount) throws -> Bool) throws {
    guard isCounted else { return }
    let statement = try connection.prepare(
      "SELECT \"name\", \"uses\" FROM \"magic_assets\" WHERE \(isUnnamed)")
    defer { statement.reset() }
    while try statement.step() {
      let wrong = WrongCount(
        name: AssetName(statement.column(0).text), counted: statement.column(1).integer, uses: 0,
        row: nil)
      guard try body(wrong) else { return }
    }
  }

  /// Corrects the counts of the files that no row refers to. Called inside a write transaction.
  func clearUnnamed() throws(SQLiteError) {
    guard isCounted else { return }
    try connection.prepare("UPDATE \"magic_assets\" SET \"uses\" = 0 WHERE \(isUnnamed)").run()
  }

  /// The SQL that selects the names of files in all rows, each with its row and the index of its
  /// column.
  private var namedFiles: String {
    columns.enumerated().map { place, column in
      """
      SELECT \(column.column.quoted) AS "name", "z_index" AS "row", \(place) AS "place" \
      FROM \(column.table.quoted) \
      WHERE typeof(\(column.column.quoted)) = 'text' AND \(column.column.quoted) <> ''
      """
    }.joined(separator: " UNION ALL ")
  }

  // With min(), SQLite takes the other columns from the row with the minimum.
  private var differences: String {
    let counted = """
      SELECT "name", count(*) AS "count", min("row") AS "row", "place" \
      FROM (\(namedFiles)) GROUP BY "name"
      """
    guard isCounted else {
      return "SELECT \"name\", NULL, \"count\", \"row\", \"place\" FROM (\(counted))"
    }
    return """
      SELECT "named"."name", "uses", "count", "row", "place" FROM (\(counted)) AS "named" \
      LEFT JOIN "magic_assets" ON "magic_assets"."name" = "named"."name" \
      WHERE "uses" IS NOT "count"
      """
  }

  private var isUnnamed: String {
    let isUsed = "\"uses\" > 0"
    return columns.isEmpty
      ? isUsed : isUsed + " AND \"name\" NOT IN (SELECT \"name\" FROM (\(namedFiles)))"
  }
}

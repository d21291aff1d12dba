import MagicEngine
import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteTables

/// A file whose count of uses is not what the rows say.
struct WrongCount {
  /// Nil where the table counts something that is no file's name.
  let name: AssetName?
  /// Nil where the table does not know the file.
  let counted: Int64?
  /// How many rows name it.
  let uses: Int64
  /// One of the rows that name it.
  let row: (column: AssetColumn, zIndex: Int64)?

  var finding: MagicFinding {
    guard let row else {
      return MagicFinding(
        .wrongCount, "No row names a file, and the database counts \(counted ?? 0).",
        table: AssetTable.name, file: name?.text)
    }
    let names = uses == 1 ? "1 row names" : "\(uses) rows name"
    let counts = counted.map { "\($0)" } ?? "none"
    return MagicFinding(
      .wrongCount, "\(names) its file, and the database counts \(counts).", of: row.column,
      row: row.zIndex, file: name?.text)
  }
}

extension ReferencedFiles {
  /// Shows the files that rows name and that are not counted so.
  ///
  /// - Parameter body: returns whether to go on.
  func forEachMiscounted(_ body: (WrongCount) throws -> Bool) throws {
    guard !columns.isEmpty else { return }
    let statement = try connection.prepare(differences)
    defer { statement.reset() }
    while try statement.step() {
      // What is no file's name is another finding.
      guard let name = AssetName(statement.column(0).text) else { continue }
      let counted = statement.column(1)
      let wrong = WrongCount(
        name: name, counted: counted.isNull ? nil : counted.integer,
        uses: statement.column(2).integer,
        row: (columns[Int(statement.column(4).integer)], statement.column(3).integer))
      guard try body(wrong) else { return }
    }
  }

  /// Shows the files that are counted and that no row names.
  ///
  /// - Parameter body: returns whether to go on.
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

  /// Corrects the counts of the files that no row names; inside a transaction that writes.
  func clearUnnamed() throws(SQLiteError) {
    guard isCounted else { return }
    try connection.prepare("UPDATE \"magic_assets\" SET \"uses\" = 0 WHERE \(isUnnamed)").run()
  }

  /// The names that rows hold, and where.
  private var held: String {
    columns.enumerated().map { place, column in
      """
      SELECT \(column.column.quoted) AS "name", "z_index" AS "row", \(place) AS "place" \
      FROM \(column.table.quoted) \
      WHERE typeof(\(column.column.quoted)) = 'text' AND \(column.column.quoted) <> ''
      """
    }.joined(separator: " UNION ALL ")
  }

  // Beside min(), the other columns are those of the row that has the least.
  private var differences: String {
    let counted = """
      SELECT "name", count(*) AS "count", min("row") AS "row", "place" \
      FROM (\(held)) GROUP BY "name"
      """
    guard isCounted else {
      return "SELECT \"name\", NULL, \"count\", \"row\", \"place\" FROM (\(counted))"
    }
    return """
      SELECT "held"."name", "uses", "count", "row", "place" FROM (\(counted)) AS "held" \
      LEFT JOIN "magic_assets" ON "magic_assets"."name" = "held"."name" \
      WHERE "uses" IS NOT "count"
      """
  }

  private var isUnnamed: String {
    let isUsed = "\"uses\" > 0"
    return columns.isEmpty
      ? isUsed : isUsed + " AND \"name\" NOT IN (SELECT \"name\" FROM (\(held)))"
  }
}

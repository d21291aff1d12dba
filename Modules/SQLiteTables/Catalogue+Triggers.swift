package import MagicSQLite
import MagicSchema

extension Catalogue {
  /// The prefix of the temporary triggers that record changes.
  package static let recordingTriggers = "magic observed "

  /// Whether a statement may delete rows without a report to the update hook of SQLite: triggers
  /// that the library did not create may replace rows or delete all, and so may the constraints of
  /// tables of other programs.
  package func mayReplaceRows() throws(SQLiteError) -> Bool {
    if try hasUserTriggers() { return true }
    let statement = try connection.cachedStatement(
      """
      SELECT EXISTS (SELECT 1 FROM sqlite_master \
      WHERE type = 'table' AND sql LIKE '%conflict%replace%')
      """)
    defer { statement.reset() }
    return try statement.step() && statement.column(0).integer != 0
  }

  /// Whether triggers exist that the library did not create.
  package func hasUserTriggers() throws(SQLiteError) -> Bool {
    let links =
      try exists("magic_relationships")
      ? "UNION ALL SELECT \"link_table\" || ' cascade' FROM \"magic_relationships\" "
        + "WHERE \"link_table\" IS NOT NULL" : ""
    let suffixes = AssetTriggers.suffixes + SearchTable.triggerSuffixes
    let assets = suffixes.map { "SELECT '\($0)' AS suffix" }.joined(separator: " UNION ALL ")
    let statement = try connection.cachedStatement(
      """
      SELECT EXISTS (SELECT 1 FROM sqlite_temp_master WHERE type = 'trigger' \
      AND substr(name, 1, \(Self.recordingTriggers.utf8.count)) <> \(Self.recordingTriggers.literal)) OR EXISTS (\
      SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name NOT IN (\
      SELECT "table_name" || ' high water' FROM "magic_catalogue" UNION ALL \
      SELECT "table_name" || suffix FROM "magic_catalogue", (\(assets)) \(links)) \
      AND NOT (\(OwnedColumns.isTrigger)))
      """)
    defer { statement.reset() }
    return try statement.step() && statement.column(0).integer != 0
  }
}

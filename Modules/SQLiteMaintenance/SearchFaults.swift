import MagicEngine
import MagicSQLite
import SQLiteSearch
import SQLiteTables

extension SearchIndexes {
  /// Finds the faults of all search indexes. An error of a damaged index can end the transaction.
  ///
  /// - Parameters:
  ///   - tables: indexes that are not checked.
  ///   - body: called with each finding; returns whether to continue with the index.
  func forEachFinding(
    _ catalogue: Catalogue, except tables: [SearchTable] = [],
    _ body: (SearchTable, MagicFinding) throws -> Bool
  ) throws {
    try forEachFault(except: tables) { table, fault in
      let type = try catalogue.entry(for: table.table)?.typeName
      let finding: MagicFinding
      switch fault {
      case .wrongRow(let row):
        finding = MagicFinding(
          .wrongSearchIndex, "The search index does not have the texts of the row.", type: type,
          table: table.table, row: row)
      case .missingTrigger(let name):
        finding = MagicFinding(
          .missingTrigger,
          "The trigger \(name), which notes changed rows for the search index, is missing.",
          type: type, table: table.table)
      case .damage(let error):
        finding = MagicFinding(
          .wrongSearchIndex, "The search index is damaged: \(error.message).", type: type,
          table: table.table)
      }
      return try body(table, finding)
    }
  }
}

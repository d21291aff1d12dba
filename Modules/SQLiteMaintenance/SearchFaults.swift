import MagicEngine
import MagicSQLite
import SQLiteSearch
import SQLiteTables

extension SearchIndexes {
  /// Finds the faults of a search index.
  ///
  /// - Parameter body: called with each finding; returns whether to continue.
  /// - Returns: false if nothing else can be checked in the transaction.
  func forEachFinding(
    of table: SearchTable, _ catalogue: Catalogue, _ body: (MagicFinding) throws -> Bool
  ) throws -> Bool {
    let type = try catalogue.entry(for: table.table)?.typeName
    return try forEachFault(of: table) { fault in
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
      case .unsupported(let error):
        finding = MagicFinding(
          .uncheckedSearchIndex,
          "The search index was not checked, because this SQLite lacks a part of it: "
            + "\(error.message).", type: type, table: table.table)
      }
      return try body(finding)
    }
  }
}

extension Catalogue {
  /// The findings about types whose full-text table does not exist, although the other parts of the
  /// search index do.
  func missingSearchIndexes() throws -> [MagicFinding] {
    try tablesWithoutSearchTable().map { table in
      MagicFinding(
        .wrongSearchIndex, "The full-text table of the search index does not exist.",
        type: try entry(for: table)?.typeName, table: table)
    }
  }
}

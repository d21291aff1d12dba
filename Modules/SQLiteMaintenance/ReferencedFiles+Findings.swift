import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

extension ReferencedFiles {
  /// What is wrong with the columns.
  var wrongColumns: [MagicFinding] {
    unknown.map {
      MagicFinding(
        .wrongCatalogue, "The database lists a column of files that it does not have.", of: $0,
        row: nil)
    } + repairable
  }

  /// Of this, what can be corrected.
  var repairable: [MagicFinding] {
    unlisted.map {
      MagicFinding(
        .wrongCatalogue, "The database does not list a column of files.", of: $0, row: nil)
    }
      + uncountedTables.map { table in
        MagicFinding(
          .missingTrigger, "The table lacks a trigger that counts the files of its rows.",
          type: columns.first { $0.table.isName(table) }?.type, table: table)
      }
  }
}

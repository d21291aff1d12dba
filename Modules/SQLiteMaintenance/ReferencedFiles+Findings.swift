import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

extension ReferencedFiles {
  /// The errors in the columns that refer to files.
  var wrongColumns: [MagicFinding] {
    unknown.map {
      MagicFinding(
        .wrongCatalogue, "The database lists a file column that does not exist.", of: $0,
        row: nil)
    } + repairable
  }

  /// Those of the errors that a repair can correct.
  var repairable: [MagicFinding] {
    unlisted.map {
      MagicFinding(
        .wrongCatalogue, "The database does not list this file column.", of: $0, row: nil)
    }
      + uncountedTables.map { table in
        MagicFinding(
          .missingTrigger, "The table lacks a trigger that counts references to files.",
          type: columns.first { $0.table.isName(table) }?.type, table: table)
      }
  }
}

import MagicEngine
import MagicFiles
import MagicSQLite
import SQLiteEngine
import SQLiteTables

extension Verification {
  /// Compares the counts of the asset table with the rows.
  ///
  /// - Returns: the files that rows refer to and that have no entry; nil if the result is
  ///   incomplete.
  func checkCounts(_ names: ReferencedFiles) throws -> Set<AssetName>? {
    var uncounted: Set<AssetName> = []
    var isComplete = false
    try attempt(table: AssetTable.name) {
      var continues = true
      try names.forEachMiscounted { wrong in
        try cancellation.check()
        if wrong.counted == nil, let name = wrong.name { uncounted.insert(name) }
        continues = note(wrong.finding)
        return continues
      }
      isComplete = continues
      try names.forEachUnnamed { wrong in
        try cancellation.check()
        return note(wrong.finding)
      }
    }
    return isComplete ? uncounted : nil
  }
}

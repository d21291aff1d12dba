import MagicEngine
import MagicFiles
import MagicSQLite
import SQLiteEngine
import SQLiteTables

extension Verification {
  /// Compares the counts of the table of files with what rows name.
  ///
  /// - Returns: files that rows name and that the table does not know; nil where these are not all.
  func checkCounts(_ names: ReferencedFiles) throws -> Set<AssetName>? {
    var uncounted: Set<AssetName> = []
    var areAll = false
    try attempt(table: AssetTable.name) {
      var wantsMore = true
      try names.forEachMiscounted { wrong in
        try cancellation.check()
        if wrong.counted == nil, let name = wrong.name { uncounted.insert(name) }
        wantsMore = note(wrong.finding)
        return wantsMore
      }
      areAll = wantsMore
      try names.forEachUnnamed { wrong in
        try cancellation.check()
        return note(wrong.finding)
      }
    }
    return areAll ? uncounted : nil
  }
}

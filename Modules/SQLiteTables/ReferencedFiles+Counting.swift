package import MagicFiles
package import MagicSQLite

extension ReferencedFiles {
  /// Corrects the counts of files that rows name, whatever was counted; inside a transaction that
  /// writes.
  ///
  /// Where it is not known which columns name files, any of these may be named.
  ///
  /// - Parameter isCounted: whether what triggers count is right.
  /// - Returns: the files that may be named.
  package static func restoreCounts(
    of names: [AssetName], on connection: SQLiteConnection, isCounted: Bool = false
  ) throws(SQLiteError) -> Set<AssetName> {
    guard !names.isEmpty else { return [] }
    let named = try ReferencedFiles(on: connection)
    var uses = try named.uses(of: names, in: isCounted ? named.uncounted : named.columns)
    if !named.areComplete {
      for name in names where uses[name] == nil { uses[name] = 1 }
    }
    let table = AssetTable(connection: connection)
    for (name, count) in uses { try table.setCount(of: name, to: count) }
    return Set(uses.keys)
  }
}

package import MagicFiles
package import MagicSQLite

extension ReferencedFiles {
  /// Corrects the counts of those files that rows refer to. Called inside a write transaction.
  ///
  /// If it is not known which columns refer to files, rows may refer to any of the files.
  ///
  /// - Parameter isCounted: whether the counts that triggers maintain are correct. Then only the
  ///   columns without triggers are read.
  /// - Returns: the files that rows may refer to.
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

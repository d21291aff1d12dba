import MagicEngine
import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

extension Verification {
  /// Finds the files that no row names.
  ///
  /// A file in a batch that is marked may be one that a transaction has just put there, of which
  /// nobody else knows before it is committed. While no transaction is open there is none of these.
  func checkFolder(isCounted: Bool, except uncounted: Set<AssetName>) throws {
    var suspects: [AssetName] = []
    do {
      try store.files.folder.forEachFile { name, path in
        try cancellation.check()
        guard let name else { return checkOther(path) }
        if isCounted, try AssetTable(connection: connection).isKnown(name) { return }
        if uncounted.contains(name) { return }
        // In this order: what is not known then, and still there, came from no transaction.
        let isMarked = store.files.folder.isMarked(name.batch)
        if try isKnownByNow(name) { return }
        if !isMarked {
          noteIfThere(name)
        } else if suspects.count < limit {
          suspects.append(name)
        } else {
          leaveOut()
        }
      }
    } catch let error as FileError {
      note(MagicFinding(.unreadableFile, "\(error)", file: error.path))
      leaveOut()
    }
    guard !suspects.isEmpty else { return }
    try withWritersExcluded { connection in
      let catalogue = Catalogue(connection: connection)
      let isCounted = try catalogue.exists(AssetTable.name)
      for name in suspects {
        if isCounted, try AssetTable(connection: connection).isKnown(name) { continue }
        noteIfThere(name)
      }
    }
  }

  private func isKnownByNow(_ name: AssetName) throws -> Bool {
    let connection = try present()
    guard try Catalogue(connection: connection).exists(AssetTable.name) else { return false }
    return try AssetTable(connection: connection).isKnown(name)
  }

  private func noteIfThere(_ name: AssetName) {
    guard store.files.folder.exists(name.text) else { return }
    note(MagicFinding(.orphanFile, "No row names the file \(name).", file: name.text))
  }

  /// A file that is no asset's.
  private func checkOther(_ path: String) {
    let folder = store.files.folder
    guard let batch = AssetFolder.batch(ofTemporary: path) else {
      note(MagicFinding(.foreignFile, "The library did not write \(path).", file: path))
      return
    }
    guard !folder.isMarked(batch), folder.exists(path) else { return }
    note(MagicFinding(.orphanFile, "The file \(path) was never written to its end.", file: path))
  }

  /// Runs the body with a connection while no transaction writes, in this process or another. Does
  /// not run it where that cannot be had.
  private func withWritersExcluded(_ body: (SQLiteConnection) throws -> Void) throws {
    guard case .file(_, let writer) = store.source else { return try body(connection) }
    guard let writer else { return leaveOut() }
    try writer.withConnectionBlocking { writer in
      writer.connection.setBusyTimeout(store.busyTimeout)
      do {
        try writer.connection.begin(.immediate)
      } catch let error as SQLiteError where error.code == .busy || error.code == .readOnly {
        return leaveOut()
      }
      defer { writer.connection.rollBack() }
      try body(writer.connection)
    }
  }
}

import MagicEngine
import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

extension Verification {
  /// Finds the files that no row refers to.
  ///
  /// A file in a marked batch may belong to a running transaction; no other connection can see its
  /// row before the commit. While no transaction is open, there are no such files.
  func checkFolder(isCounted: Bool, except uncounted: Set<AssetName>) throws {
    var suspects: [AssetName] = []
    do {
      try store.files.folder.forEachFile { name, path in
        try cancellation.check()
        guard let name else { return checkOther(path) }
        if isCounted, try AssetTable(connection: connection).contains(name) { return }
        if uncounted.contains(name) { return }
        // The order of these checks matters: a file that has no entry now and still exists
        // afterwards belongs to no transaction.
        let isMarked = store.files.folder.isMarked(name.batch)
        if try hasPresentEntry(name) { return }
        if !isMarked {
          noteIfPresent(name)
        } else if suspects.count < limit {
          suspects.append(name)
        } else {
          markIncomplete()
        }
      }
    } catch let error as FileError {
      note(MagicFinding(.unreadableFile, "\(error)", file: error.path))
      markIncomplete()
    }
    guard !suspects.isEmpty else { return }
    try withWritersExcluded { connection in
      let catalogue = Catalogue(connection: connection)
      let isCounted = try catalogue.exists(AssetTable.name)
      for name in suspects {
        if isCounted, try AssetTable(connection: connection).contains(name) { continue }
        noteIfPresent(name)
      }
    }
  }

  private func hasPresentEntry(_ name: AssetName) throws -> Bool {
    let connection = try openPresentConnection()
    guard try Catalogue(connection: connection).exists(AssetTable.name) else { return false }
    return try AssetTable(connection: connection).contains(name)
  }

  private func noteIfPresent(_ name: AssetName) {
    guard store.files.folder.exists(name.text) else { return }
    note(MagicFinding(.orphanFile, "No row refers to the file \(name).", file: name.text))
  }

  /// Reports a file that is not an asset.
  private func checkOther(_ path: String) {
    let folder = store.files.folder
    guard let batch = AssetFolder.batch(ofTemporary: path) else {
      note(MagicFinding(.foreignFile, "The library did not create the file \(path).", file: path))
      return
    }
    guard !folder.isMarked(batch), folder.exists(path) else { return }
    note(
      MagicFinding(
        .orphanFile, "The file \(path) is incomplete: its write never ended.", file: path))
  }

  /// Runs the body with a connection while no transaction writes, in this process or another. If
  /// that is not possible, the body does not run and the report is incomplete.
  private func withWritersExcluded(_ body: (SQLiteConnection) throws -> Void) throws {
    guard case .file(_, let writer) = store.source else { return try body(connection) }
    guard let writer else { return markIncomplete() }
    try writer.withConnectionBlocking { writer in
      writer.connection.setBusyTimeout(store.busyTimeout)
      do {
        try writer.connection.begin(.immediate)
      } catch let error as SQLiteError where error.code == .busy || error.code == .readOnly {
        return markIncomplete()
      }
      defer { writer.connection.rollBack() }
      try body(writer.connection)
    }
  }
}

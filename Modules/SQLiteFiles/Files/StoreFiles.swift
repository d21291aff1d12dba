import Foundation
package import MagicFiles
package import MagicSQLite
import MagicSchema
import SQLiteTables

/// The files of a database, in step with its transactions: they are complete and on the disk before
/// a commit, and those that no row names any more go after it.
///
/// Used by who has the writer, save for ``folder``.
package final class StoreFiles: @unchecked Sendable {
  package let folder: AssetFolder
  private let files: any FileSystem
  private let durability: FileDurability
  /// Gives the file system of the directory with a path.
  package let makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem
  /// Whether the database has the table of files; nil where that is to be asked.
  @exclusivity(unchecked) private var isUsed: Bool?
  /// Files that were removed, whose rows are still in the table.
  @exclusivity(unchecked) private var gone: [AssetName] = []

  /// Condemned files that could not be removed, as while somebody copies the folder.
  @exclusivity(unchecked) private var waiting: [AssetName] = []

  /// Files of a commit that failed: as long as the log has what it wrote, a crash may make it true.
  @exclusivity(unchecked) private var doubtful: [StagedFile] = []

  /// Whether files that are not counted have been compared with the rows since the database was opened
  /// or another connection wrote. Until then a count of 0 does not say that no row names the file.
  @exclusivity(unchecked) private var hasCheckedCounts: Bool

  @exclusivity(unchecked) private var callsWaiting = 0
  /// After so many commits what could not be removed is tried again; it grows.
  @exclusivity(unchecked) private var patience = 1
  private static let mostPatience = 64

  /// How many rows of files that are gone wait for a transaction that takes them away: each time
  /// the directories are synced.
  private static let goneLimit = 64

  /// What the folder's name has behind the database's.
  package static let suffix = "-assets"

  /// - Parameter prepare: of a new database that is removed when it is closed, makes the directory
  ///   above the folder; nil for others.
  package init(
    at path: String, durability: FileDurability,
    makeFileSystem: @escaping @Sendable (_ path: String, FileDurability) -> any FileSystem,
    prepare: (@Sendable () throws(FileError) -> Void)? = nil
  ) {
    hasCheckedCounts = prepare != nil
    self.makeFileSystem = makeFileSystem
    self.durability = durability
    files = makeFileSystem(path, durability)
    guard let prepare else {
      folder = AssetFolder(files, path: path)
      return
    }
    folder = AssetFolder(files, path: path, makingRoot: prepare)
  }

  /// Removes what a program that ended in the midst of its work has left. What cannot be removed now
  /// stays for the next time.
  ///
  /// A file that a row names stays, whatever the table of files counts; its count is corrected. Where
  /// commits of the log are out of reach, files of rows that were in them look like files that no row
  /// names. They stay for good, as what a check finds.
  ///
  /// - Parameter hasLostCommits: whether that is known.
  package func sweep(on connection: SQLiteConnection, hasLostCommits: Bool) {
    guard let hasTable = try? Catalogue(connection: connection).exists(AssetTable.name) else {
      return
    }
    lazy var hasLost = hasLostCommits || WALScanner.hasCommits(inLogAt: log)
    // Asked when the batch is locked: another process may have made the table until then.
    _ = try? folder.sweep { names in
      hasLost ? Set(names) : try connection.snapshot { try Self.named(of: names, on: connection) }
    }
    let table = AssetTable(connection: connection)
    guard let some = try? hasTable ? table.unused() : [] else { return }
    hasCheckedCounts = some.isEmpty
    if !some.isEmpty { removeUnused(table, connection) }
  }

  private func removeUnused(_ table: AssetTable, _ connection: SQLiteConnection) {
    connection.setBusyTimeout(0)
    defer { connection.setBusyTimeout(connection.configuration.busyTimeout) }
    let unused = try? connection.transaction {
      _ = try table.markUnreferencedFiles()
      let unused = try table.unused()
      let named = try ReferencedFiles.restoreCounts(of: unused, on: connection)
      return unused.filter { !named.contains($0) }
    }
    hasCheckedCounts = unused != nil
    remove(unused ?? [], on: connection)
  }

  /// Of some files, those that rows name or may name.
  private static func named(
    of names: [AssetName], on connection: SQLiteConnection
  ) throws -> Set<AssetName> {
    let counted =
      try Catalogue(connection: connection).exists(AssetTable.name)
      ? AssetTable(connection: connection).used(of: names) : []
    let others = names.filter { !counted.contains($0) }
    guard !others.isEmpty else { return counted }
    let files = try ReferencedFiles(on: connection)
    return files.areComplete
      ? try counted.union(files.uses(of: others, in: files.columns).keys) : Set(names)
  }

  /// Whether a commit has to wait for files, or for the removal of others.
  ///
  /// - Parameter hasNew: whether it brings new files.
  package func waitsForDisk(withNew hasNew: Bool) -> Bool {
    durability != .none && (hasNew || gone.count >= Self.goneLimit)
  }

  /// Files reach the disk from now on as surely as with durability `.full`.
  package func strengthen() {
    guard durability == .ordered else { return }
    (files as? DiskFileSystem)?.useFullDurability()
  }

  /// The table of files was made, or the file may be another than the last commit left: another
  /// connection has written, or a commit has failed.
  package func noteTableChange() { isUsed = nil }

  /// Another connection has written, maybe to the counts: those that are 0 are compared with the rows
  /// again before a file is removed.
  package func noteForeignChanges() {
    noteTableChange()
    hasCheckedCounts = false
  }

  /// Brings staged files to the disk, the last thing before a commit.
  ///
  /// - Returns: the files to remove after it.
  package func prepareCommit(
    _ staged: [StagedFile], on connection: SQLiteConnection
  ) throws -> [AssetName] {
    // An error has rolled all back: then the commit says so.
    guard connection.isInTransaction else { return [] }
    guard try !staged.isEmpty || hasTable(connection) else { return [] }
    let table = AssetTable(connection: connection)
    if gone.count >= Self.goneLimit { try forgetGone(table) }
    let unused = try markUnreferencedFiles(table, staged)
    if !staged.isEmpty { try folder.publish(staged) }
    return unused
  }

  /// Condemns the files that no row names.
  ///
  /// What triggers count is right. Rows are asked about counts that were there before, and about new
  /// files where a table has lost its triggers.
  ///
  /// - Returns: the files that were condemned.
  private func markUnreferencedFiles(
    _ table: AssetTable, _ staged: [StagedFile]
  ) throws(SQLiteError) -> [AssetName] {
    let unused = try table.markUnreferencedFiles()
    guard !unused.isEmpty else { return [] }
    let named: Set<AssetName>
    if hasCheckedCounts {
      let new = Set(staged.map(\.name))
      named = try ReferencedFiles.restoreCounts(
        of: unused.filter(new.contains), on: table.connection, isCounted: true)
    } else {
      named = try ReferencedFiles.restoreCounts(of: unused, on: table.connection)
    }
    return named.isEmpty ? unused : unused.filter { !named.contains($0) }
  }

  /// After a commit.
  package func didCommit(on connection: SQLiteConnection) {
    hasCheckedCounts = true
    resolveUncertainFiles(on: connection)
  }

  /// Nobody knows whether rows name a file.
  package func doubt(_ file: StagedFile) { doubtful.append(file) }

  /// After a commit that has written over what a failed one had left in the log: no row names the
  /// files of that one, but for those that were saved after all. They are let go of, and those that
  /// nobody else has are removed.
  private func resolveUncertainFiles(on connection: SQLiteConnection) {
    guard !doubtful.isEmpty, connection.hasWrittenLog else { return }
    // Where the commit is not on the disk yet, the failed one may come back.
    guard durability != .ordered || connection.syncLog() else { return }
    doubtful = []
  }

  /// Removes files after the commit, and those that could not be removed before.
  ///
  /// - Parameter retrying: whether to try those again now; else it is done after some commits.
  package func remove(_ names: [AssetName], on connection: SQLiteConnection, retrying: Bool = false)
  {
    callsWaiting += 1
    let retries = retrying || callsWaiting >= patience
    if retries { callsWaiting = 0 }
    if retries { waiting.removeAll { isNeeded($0, on: connection) } }
    let due = retries ? waiting + names : names
    guard !due.isEmpty else { return }
    // Where the commit is not on the disk yet, the rows that name the files may come back.
    let removed = durability == .ordered && !connection.syncLog() ? [] : removeNow(due)
    gone += removed
    let isGone = Set(removed)
    if retries, !waiting.isEmpty { patience = min(patience * 2, Self.mostPatience) }
    waiting = (retries ? [] : waiting) + due.filter { !isGone.contains($0) }
    if waiting.isEmpty { patience = 1 }
  }

  /// Whether a file that was condemned has rows that name it after all, which a repair found out.
  private func isNeeded(_ name: AssetName, on connection: SQLiteConnection) -> Bool {
    (try? AssetTable(connection: connection).isCondemned(name)) == false
  }

  /// Another process may be removing files just now, which takes no time.
  private func removeNow(_ names: [AssetName]) -> [AssetName] {
    for _ in 0..<10 {
      let removed = folder.remove(names)
      if !removed.isEmpty { return removed }
      usleep(500)
    }
    return []
  }

  /// The path of the database's write-ahead log.
  private var log: String {
    String(folder.path.dropLast(Self.suffix.utf8.count)) + "-wal"
  }

  /// Tidies up before the database is closed.
  package func close(_ connection: SQLiteConnection) {
    // The next sweep finds out.
    for file in doubtful { file.keep() }
    folder.close()
    tidyUp(connection)
  }

  /// Tidies up before the database is suspended, and looks at the table of files anew after it.
  package func suspend(_ connection: SQLiteConnection) {
    tidyUp(connection)
    noteTableChange()
  }

  private func tidyUp(_ connection: SQLiteConnection) {
    remove([], on: connection, retrying: true)
    guard !gone.isEmpty, !connection.isInTransaction else { return }
    connection.setBusyTimeout(0)
    try? connection.transaction { try forgetGone(AssetTable(connection: connection)) }
  }

  private func hasTable(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
    if let isUsed { return isUsed }
    let isUsed = try Catalogue(connection: connection).exists(AssetTable.name)
    self.isUsed = isUsed
    return isUsed
  }

  private func forgetGone(_ table: AssetTable) throws {
    try folder.syncRemoval(of: gone)
    try table.forget(gone)
    gone.removeAll()
  }
}

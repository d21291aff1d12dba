import Foundation
package import MagicFiles
package import MagicSQLite
import MagicSchema
import SQLiteTables

/// The asset files of a database. New files are complete and on disk before the commit of their
/// transaction, and files that no row refers to are deleted after a commit.
///
/// Only the thread that has the writer uses this class, except for ``folder``.
package final class StoreFiles: @unchecked Sendable {
  package let folder: AssetFolder
  private let files: any FileSystem
  private let durability: FileDurability
  /// Returns the file system of a directory.
  package let makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem
  /// Whether the database has the asset table; nil if that must be read.
  @exclusivity(unchecked) private var isUsed: Bool?
  /// Files that were deleted while their rows are still in the asset table.
  @exclusivity(unchecked) private var deleted: [AssetName] = []

  /// Files that are marked for deletion and could not be deleted, for example during a backup.
  @exclusivity(unchecked) private var pendingRemovals: [AssetName] = []

  /// Files of a commit that failed. As long as the log contains frames of that commit, recovery
  /// after a crash may apply it.
  @exclusivity(unchecked) private var uncertain: [StagedFile] = []

  /// Whether files with a count of 0 were compared with the rows since the database was opened or
  /// another connection wrote. Until then a count of 0 does not prove that no row refers to the
  /// file.
  @exclusivity(unchecked) private var hasCheckedCounts: Bool

  @exclusivity(unchecked) private var callsSinceRetry = 0
  /// The number of commits after which failed deletions are tried again; it grows.
  @exclusivity(unchecked) private var retryInterval = 1
  private static let maxRetryInterval = 64

  /// The number of deleted files whose rows are collected before one transaction deletes the rows.
  /// Each of these transactions syncs the directories.
  private static let deletedLimit = 64

  /// The suffix of the folder's name after the database's name.
  package static let suffix = "-assets"

  /// - Parameter prepare: creates the directory above the folder, for a new database that is
  ///   deleted when it is closed; nil for others.
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

  /// Deletes the files that a process which was killed has left. Files that cannot be deleted now
  /// are kept for the next sweep.
  ///
  /// A file that a row refers to is kept even if its count is wrong; the count is corrected. If
  /// commits in the log cannot be read, files of their rows cannot be distinguished from files that
  /// no row refers to. The sweep keeps all of these files, and a verification reports them.
  ///
  /// - Parameter hasLostCommits: whether commits are known to be lost.
  package func sweep(on connection: SQLiteConnection, hasLostCommits: Bool) {
    guard let hasTable = try? Catalogue(connection: connection).exists(AssetTable.name) else {
      return
    }
    lazy var hasLost = hasLostCommits || WALScanner.hasCommits(inLogAt: log)
    // Read after the batch is locked, because another process may have created the table before.
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

  /// Returns those of the files that rows refer to or may refer to.
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

  /// Whether a commit waits for new files to be synced, or for the deletion of others.
  ///
  /// - Parameter hasNew: whether the commit has new files.
  package func waitsForDisk(withNew hasNew: Bool) -> Bool {
    durability != .none && (hasNew || deleted.count >= Self.deletedLimit)
  }

  /// Syncs files from now on as with durability `.full`.
  package func strengthen() {
    guard durability == .ordered else { return }
    (files as? DiskFileSystem)?.useFullDurability()
  }

  /// The asset table was created, or the file may have changed since the last commit: another
  /// connection has written, or a commit has failed.
  package func noteTableChange() { isUsed = nil }

  /// Another connection has written, possibly to the counts. Counts of 0 are compared with the rows
  /// again before a file is deleted.
  package func noteExternalChanges() {
    noteTableChange()
    hasCheckedCounts = false
  }

  /// Syncs staged files to disk. Called last before a commit.
  ///
  /// - Returns: the files to delete after the commit.
  package func prepareCommit(
    _ staged: [StagedFile], on connection: SQLiteConnection
  ) throws -> [AssetName] {
    // An error has rolled back the transaction; the commit reports that.
    guard connection.isInTransaction else { return [] }
    guard try !staged.isEmpty || hasTable(connection) else { return [] }
    let table = AssetTable(connection: connection)
    if deleted.count >= Self.deletedLimit { try deleteEntries(table) }
    let unused = try markUnreferencedFiles(table, staged)
    if !staged.isEmpty { try folder.publish(staged) }
    return unused
  }

  /// Marks the files that no row refers to for deletion.
  ///
  /// Counts that triggers have changed in this transaction are correct. Older counts are compared
  /// with the rows, and so are the counts of new files if a table has lost its triggers.
  ///
  /// - Returns: the files that were marked.
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

  /// Called after a commit.
  package func didCommit(on connection: SQLiteConnection) {
    hasCheckedCounts = true
    resolveUncertainFiles(on: connection)
  }

  /// Keeps a file of which it is unknown whether rows refer to it.
  package func addUncertain(_ file: StagedFile) { uncertain.append(file) }

  /// Releases the files of a failed commit, after a commit that has overwritten what the failed one
  /// had left in the log. No row refers to these files, except to those that a later save has
  /// stored. Files without another reference are deleted.
  private func resolveUncertainFiles(on connection: SQLiteConnection) {
    guard !uncertain.isEmpty, connection.hasWrittenLog else { return }
    // If the commit is not on disk yet, recovery may still apply the failed one.
    guard durability != .ordered || connection.syncLog() else { return }
    uncertain = []
  }

  /// Deletes files after the commit, and files that could not be deleted before.
  ///
  /// - Parameter retrying: whether to retry earlier failed deletions now; else they are retried
  ///   after some commits.
  package func remove(_ names: [AssetName], on connection: SQLiteConnection, retrying: Bool = false)
  {
    callsSinceRetry += 1
    let retries = retrying || callsSinceRetry >= retryInterval
    if retries { callsSinceRetry = 0 }
    if retries { pendingRemovals.removeAll { isNeeded($0, on: connection) } }
    let due = retries ? pendingRemovals + names : names
    guard !due.isEmpty else { return }
    // If the commit is not on disk yet, recovery may restore the rows that refer to the files.
    let removed = durability == .ordered && !connection.syncLog() ? [] : removeNow(due)
    deleted += removed
    let removedSet = Set(removed)
    if retries, !pendingRemovals.isEmpty {
      retryInterval = min(retryInterval * 2, Self.maxRetryInterval)
    }
    pendingRemovals = (retries ? [] : pendingRemovals) + due.filter { !removedSet.contains($0) }
    if pendingRemovals.isEmpty { retryInterval = 1 }
  }

  /// Whether rows refer to a file that was marked for deletion, according to a repair.
  private func isNeeded(_ name: AssetName, on connection: SQLiteConnection) -> Bool {
    (try? AssetTable(connection: connection).isMarkedForDeletion(name)) == false
  }

  /// Deletes files. Another process that is deleting files prevents this for a very short time, so
  /// the deletion is tried several times.
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

  /// Finishes deletions before the database is closed.
  package func close(_ connection: SQLiteConnection) {
    // The next sweep decides about these files.
    for file in uncertain { file.keep() }
    folder.close()
    finishRemovals(connection)
    folder.removeLockFile()
  }

  /// Finishes deletions before the database is suspended. The existence of the asset table is read
  /// again after the suspension.
  package func suspend(_ connection: SQLiteConnection) {
    finishRemovals(connection)
    noteTableChange()
  }

  private func finishRemovals(_ connection: SQLiteConnection) {
    remove([], on: connection, retrying: true)
    guard !deleted.isEmpty, !connection.isInTransaction else { return }
    connection.setBusyTimeout(0)
    try? connection.transaction { try deleteEntries(AssetTable(connection: connection)) }
  }

  private func hasTable(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
    if let isUsed { return isUsed }
    let isUsed = try Catalogue(connection: connection).exists(AssetTable.name)
    self.isUsed = isUsed
    return isUsed
  }

  private func deleteEntries(_ table: AssetTable) throws {
    try folder.syncRemoval(of: deleted)
    try table.forget(deleted)
    deleted.removeAll()
  }
}

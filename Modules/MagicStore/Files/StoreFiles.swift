package import MagicFiles
import MagicSQLite
import MagicSchema

/// The files of a database, in step with its transactions: they are complete and on the disk before
/// a commit, and those that no row names any more go after it.
///
/// Used by who has the writer, save for ``folder``.
package final class StoreFiles: @unchecked Sendable {
  package let folder: AssetFolder
  /// Gives the file system of the directory with a path.
  let makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem
  /// Whether the database has the table of files; nil where that is to be asked.
  @exclusivity(unchecked) private var isUsed: Bool?
  /// Files that were removed, whose rows are still in the table.
  @exclusivity(unchecked) private var gone: [AssetName] = []

  /// Condemned files that could not be removed, as while somebody copies the folder.
  @exclusivity(unchecked) private var waiting: [AssetName] = []

  /// How many rows of files that are gone wait for a transaction that takes them away: each time
  /// the directories are synced.
  private static let goneLimit = 64

  /// What the folder's name has behind the database's.
  static let suffix = "-assets"

  /// - Parameter isLasting: whether the database is there when it is closed.
  init(at path: String, _ options: StoreOptions, isLasting: Bool = true) {
    let durability: FileDurability =
      switch options.durability {
      case _ where !isLasting: .none
      case .off: .none
      case .normal: .ordered
      case .full: .full
      }
    let makeFileSystem =
      options.fileSystem ?? { DiskFileSystem(root: $0, durability: $1) }
    self.makeFileSystem = makeFileSystem
    folder = AssetFolder(makeFileSystem(path, durability), path: path)
  }

  /// Removes what a program that ended in the midst of its work has left. What cannot be removed now
  /// stays for the next time.
  func sweep(on connection: SQLiteConnection) {
    guard let hasTable = try? Catalogue(connection: connection).exists(AssetTable.name) else {
      return
    }
    isUsed = hasTable
    let table = AssetTable(connection: connection)
    _ = try? folder.sweep { hasTable ? try table.used(of: $0) : [] }
    guard hasTable, let unused = try? table.unused(), !unused.isEmpty else { return }
    connection.setBusyTimeout(0)
    defer { connection.setBusyTimeout(connection.configuration.busyTimeout) }
    guard (try? connection.transaction { _ = try table.condemnUnused() }) != nil else { return }
    remove(unused)
  }

  /// The table of files was made, has not come to be after all, or somebody else has written.
  func noteTableChange() { isUsed = nil }

  /// Brings staged files to the disk, the last thing before a commit.
  ///
  /// - Returns: the files to remove after it.
  func prepareCommit(
    _ staged: [StagedFile], on connection: SQLiteConnection
  ) throws -> [AssetName] {
    guard try !staged.isEmpty || hasTable(connection) else { return [] }
    let table = AssetTable(connection: connection)
    if gone.count >= Self.goneLimit { try forgetGone(table) }
    let unused = try table.condemnUnused()
    if !staged.isEmpty { try folder.settle(staged) }
    return unused
  }

  /// Removes files after the commit, and those that could not be removed before.
  func remove(_ names: [AssetName] = []) {
    waiting += names
    guard !waiting.isEmpty else { return }
    let removed = folder.remove(waiting)
    guard !removed.isEmpty else { return }
    gone += removed
    let isGone = Set(removed)
    waiting.removeAll { isGone.contains($0) }
  }

  /// Tidies up before the database is closed.
  func close(_ connection: SQLiteConnection) {
    folder.close()
    remove()
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

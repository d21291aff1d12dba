public import Foundation
import MagicSchema
import SQLiteMaintenance

extension ObjectStore {
  /// Checks the whole database: its pages, the references between its rows, and its assets' files.
  ///
  /// All tables are checked, also those of types that the program does not know. It reads one snapshot
  /// while others write; until it ends the write-ahead log cannot be emptied. A database in memory
  /// is not written meanwhile.
  ///
  /// - Parameter limit: how many findings of each kind are reported at most. Default: 1,000.
  /// - Returns: what was found. Damage is a finding, not an error.
  /// - Throws: `MagicError`, and `CancellationError` on a cancelled task.
  /// - Complexity: O(n) in the size of the database and the number of files, of which none is read.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func verify(limit: Int = 1_000) throws -> MagicReport {
    try checkOpen()
    return try shared.maintainingBlocking {
      try Verification.run(of: try self.shared.maintenance, limit: max(1, limit), $0)
    }
  }

  /// Corrects what the database says about its assets' files by what its rows say: the counts of the
  /// rows that name each file, the list of columns that hold such names, and the triggers that count.
  ///
  /// All of it is one transaction. No file is removed that a row names; one that no row names is
  /// removed. Where the database lists a column that it does not have, its rows may be under another
  /// name: then no count is lowered, and the column stays listed. What else ``verify(limit:)`` finds
  /// is left as it is.
  ///
  /// - Parameter limit: how many findings of each kind are reported at most. Default: 1,000.
  /// - Returns: what was corrected, as a check before it would have reported it.
  /// - Throws: `MagicError`, and `CancellationError` on a cancelled task; nothing is changed then.
  /// - Complexity: O(n) in the rows of tables with assets, while others wait to write.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func repair(limit: Int = 1_000) throws -> MagicReport {
    try checkOpen()
    return try shared.maintainingBlocking {
      try self.shared.repair(limit: max(1, limit), $0)
    }
  }

  /// Copies the database and its assets to a new file, while others read and write.
  ///
  /// The copy is of one committed state. It appears under its name when all of it is on the disk; a
  /// copy that fails or is cancelled leaves nothing. Until it ends the write-ahead log cannot be
  /// emptied, and files of removed assets stay. A database in memory is not written while its pages
  /// are copied.
  ///
  /// - Parameters:
  ///   - path: where the copy is to be, as in ``open(_:options:)``. Nothing may lie there, nor
  ///     anything that would belong to it; missing directories are made.
  ///   - allowsMissingAssets: whether files that are not there, or not whole, are left out. Else the
  ///     copy ends with an error.
  ///   - progress: is called on no particular thread, every percent and every tenth of a second.
  /// - Throws: `MagicError`: `.fileExists` where something lies there, `.cannotOpen`, `.readOnly`,
  ///   `.diskFull`, `.assetMissing` and `.cannotDecode` for a file that is not there or not whole;
  ///   `CancellationError` on a cancelled task.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func backup(
    to path: String, allowsMissingAssets: Bool = false,
    progress: @escaping (MagicBackupProgress) -> Void = { _ in }
  ) throws {
    try checkOpen()
    try shared.maintainingBlocking {
      _ = try Backup.run(
        of: try self.shared.maintenance, to: path, allowsMissingAssets: allowsMissingAssets, $0,
        progress)
    }
  }

  /// Copies the database and its assets to a new file, as the call with a path does.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func backup(
    to file: URL, allowsMissingAssets: Bool = false,
    progress: @escaping (MagicBackupProgress) -> Void = { _ in }
  ) throws {
    try backup(
      to: file.pathOfCopy, allowsMissingAssets: allowsMissingAssets, progress: progress)
  }

  /// Checks the whole database without blocking a thread of the cooperative pool.
  package func verifying(limit: Int) async throws -> MagicReport {
    try checkOpen()
    return try await shared.maintaining { [shared] in
      try Verification.run(of: try shared.maintenance, limit: max(1, limit), $0)
    }
  }

  /// Corrects the counts of files without blocking a thread of the cooperative pool.
  package func repairing(limit: Int) async throws -> MagicReport {
    try checkOpen()
    return try await shared.maintaining { [shared] in
      try shared.repair(limit: max(1, limit), $0)
    }
  }

  /// Copies the database without blocking a thread of the cooperative pool.
  package func backingUp(
    to path: String, allowsMissingAssets: Bool,
    progress: @escaping @Sendable (MagicBackupProgress) -> Void
  ) async throws {
    try checkOpen()
    try await shared.maintaining { [shared] in
      _ = try Backup.run(
        of: try shared.maintenance, to: path, allowsMissingAssets: allowsMissingAssets, $0, progress
      )
    }
  }
}

extension URL {
  /// The path of a file's URL.
  package var pathOfCopy: String {
    get throws {
      guard isFileURL else { throw MagicError(.cannotOpen, "The URL of a copy is a file's.") }
      return path
    }
  }
}

public import Foundation
public import MagicEngine
import MagicSchema

extension AsyncMagicDatabase {
  /// Checks the whole database: its pages, the references between its rows, the description of the
  /// types' properties, and the files of its assets.
  ///
  /// ```swift
  /// let report = try await magic.verify()
  /// print(report)  // no faults
  /// ```
  ///
  /// The check includes all tables, even tables of types that the program does not declare. It
  /// reads one snapshot. Other calls can write during the check, but the write-ahead log cannot be
  /// emptied until the check ends. An in-memory database cannot be written during the check.
  ///
  /// - Parameter limit: the maximum number of findings of each kind in the report. Default: 1,000.
  /// - Returns: the findings. Damage is reported as a finding. It is not thrown as an error.
  /// - Throws: `MagicError`, or `CancellationError`.
  /// - Complexity: O(n) in the size of the database and the number of asset files. The contents of
  ///   the files are not read.
  public func verify(limit: Int = 1_000) async throws -> MagicReport {
    try await _store.store.maintaining { try $0.verify(limit: limit, $1) }
  }

  /// Corrects the data that the database stores about its asset files: the reference counts of the
  /// files, the list of columns that contain file names, and the triggers that maintain the counts.
  /// The rows determine the correct data.
  ///
  /// ```swift
  /// let repaired = try await magic.repair()
  /// print(repaired)  // no faults
  /// ```
  ///
  /// The repair is one transaction. It never deletes a file that a row refers to, and deletes files
  /// that no row refers to. If the list contains a column that does not exist, the column may have
  /// been renamed. In this case no count is decreased, and the column stays in the list. A wrong
  /// description of a type's properties is deleted; the next write of an object of the type
  /// describes them again. Other findings of ``verify(limit:)`` are not repaired.
  ///
  /// - Parameter limit: the maximum number of findings of each kind in the report. Default: 1,000.
  /// - Returns: the corrected faults, as a check before the repair would have reported them.
  /// - Throws: `MagicError`, or `CancellationError`. Nothing is changed then.
  /// - Complexity: O(n) in the number of rows of tables with assets. Other writes wait during the
  ///   repair.
  @discardableResult
  public func repair(limit: Int = 1_000) async throws -> MagicReport {
    try await _store.store.maintaining { try $0.repair(limit: limit, $1) }
  }

  /// Returns the free space inside the database file to the file system: the space of removed
  /// objects and of shortened values.
  ///
  /// ```swift
  /// let compaction = try await magic.compact { print($0.fraction) }
  /// print(compaction.bytesReturned)
  /// ```
  ///
  /// The database returns free space by itself, with later saves, when more than a quarter of the
  /// file and more than 1 MiB is free. This call returns all of it at once. The objects, their row
  /// IDs and the files of assets do not change. Other calls can read and write during the
  /// compaction.
  ///
  /// A file that was created by version 0.1.0 of the library, or by another program, usually cannot
  /// return space by itself. The first compaction writes the entire file again in one transaction,
  /// and it can from then on. Other writes wait meanwhile. For the time of the call, this needs the
  /// size of the database twice more on the disk: in the write-ahead log, and in the directory of
  /// temporary files. Row IDs of tables of other programs can change if the table has neither an
  /// INTEGER PRIMARY KEY nor an index.
  ///
  /// If a process is killed during the compaction, nothing is lost. After an error or a
  /// cancellation, the database contains the same objects. If the file can return space by itself,
  /// what was returned until then stays returned; otherwise the file is unchanged.
  ///
  /// - Parameter progress: a closure that is called on an arbitrary thread, about every twentieth of
  ///   a second. If the entire file is written again, it is called only at the beginning and at the
  ///   end. Default: an empty closure.
  /// - Returns: the sizes of the database before and after.
  /// - Throws: `MagicError`: `.readOnly`, `.diskFull`, `.busy` if another process writes for longer
  ///   than the busy timeout; `CancellationError`.
  /// - Complexity: O(n) in the free space; O(n) in the size of the database if it is written again.
  @discardableResult
  public func compact(
    progress: @escaping @Sendable (MagicCompactionProgress) -> Void = { _ in }
  ) async throws -> MagicCompaction {
    try await _store.store.maintaining { try $0.compact($1, progress: progress) }
  }

  /// Copies the database and its assets to a new file, while other calls read and write.
  ///
  /// ```swift
  /// try await magic.backup(to: copyPath) { print($0.fraction) }
  /// ```
  ///
  /// The backup is a database that contains one committed state, with the same rows under the same
  /// row IDs. The file gets its name only when its whole content is on the disk. A backup that
  /// fails or is cancelled deletes its files. Until the backup ends, the write-ahead log cannot be
  /// emptied, and the files of removed assets are kept. An in-memory database cannot be written
  /// while its pages are copied.
  ///
  /// - Parameters:
  ///   - path: the path of the backup, with the same meaning as the path of a database. Neither the
  ///     file nor any file that would belong to it may exist. Missing directories are created.
  ///   - allowsMissingAssets: whether asset files that are missing or incomplete are skipped.
  ///     Otherwise the backup throws. Default: false.
  ///   - compacting: whether the free space inside the copied file is removed. For the time of the
  ///     call, this needs the size of the database twice more on the disk: next to the backup, and
  ///     in the directory of temporary files. Default: false; the backup is as large as the
  ///     database.
  ///   - progress: a closure that is called on an arbitrary thread, at least once per percent and
  ///     about every tenth of a second. Default: an empty closure.
  /// - Throws: `MagicError`: `.fileExists` if a file exists there, `.cannotOpen`, `.readOnly`,
  ///   `.diskFull`, `.assetMissing` and `.cannotDecode` for a file that is missing or incomplete;
  ///   `CancellationError`.
  public func backup(
    to path: String, allowsMissingAssets: Bool = false, compacting: Bool = false,
    progress: @escaping @Sendable (MagicBackupProgress) -> Void = { _ in }
  ) async throws {
    try await _store.store.maintaining {
      try $0.backUp(
        to: path, allowsMissingAssets: allowsMissingAssets, compacts: compacting, $1,
        progress: progress)
    }
  }

  /// Copies the database and its assets to a new file at a file URL, while other calls read and
  /// write.
  public func backup(
    to file: URL, allowsMissingAssets: Bool = false, compacting: Bool = false,
    progress: @escaping @Sendable (MagicBackupProgress) -> Void = { _ in }
  ) async throws {
    try await backup(
      to: file.backupPath, allowsMissingAssets: allowsMissingAssets, compacting: compacting,
      progress: progress)
  }
}

extension MagicObjectStore {
  /// Like the asynchronous `verify(limit:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func verify(limit: Int = 1_000) throws -> MagicReport {
    try maintainingBlocking { try $0.verify(limit: limit, $1) }
  }

  /// Like the asynchronous `repair(limit:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func repair(limit: Int = 1_000) throws -> MagicReport {
    try maintainingBlocking { try $0.repair(limit: limit, $1) }
  }

  /// Like the asynchronous `compact(progress:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func compact(
    progress: @escaping (MagicCompactionProgress) -> Void = { _ in }
  ) throws -> MagicCompaction {
    try maintainingBlocking { try $0.compact($1, progress: progress) }
  }

  /// Like the asynchronous `backup(to:allowsMissingAssets:compacting:progress:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func backup(
    to path: String, allowsMissingAssets: Bool = false, compacting: Bool = false,
    progress: @escaping (MagicBackupProgress) -> Void = { _ in }
  ) throws {
    try maintainingBlocking {
      try $0.backUp(
        to: path, allowsMissingAssets: allowsMissingAssets, compacts: compacting, $1,
        progress: progress)
    }
  }

  /// Like the asynchronous `backup(to:allowsMissingAssets:compacting:progress:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func backup(
    to file: URL, allowsMissingAssets: Bool = false, compacting: Bool = false,
    progress: @escaping (MagicBackupProgress) -> Void = { _ in }
  ) throws {
    try backup(
      to: file.backupPath, allowsMissingAssets: allowsMissingAssets, compacting: compacting,
      progress: progress)
  }
}

extension URL {
  /// The path of a file URL.
  var backupPath: String {
    get throws {
      guard isFileURL else { throw MagicError(.cannotOpen, "The backup URL is not a file URL.") }
      return path
    }
  }
}

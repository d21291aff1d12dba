public import Foundation
public import MagicEngine
import MagicSchema

extension AsyncMagicDatabase {
  /// Checks the whole database: its pages, the references between its rows, and its assets' files.
  ///
  /// ```swift
  /// let report = try await magic.verify()
  /// print(report)  // no faults
  /// ```
  ///
  /// All tables are checked, also those of types that the program does not know. It reads one snapshot
  /// while others write; until it ends the write-ahead log cannot be emptied. A database in memory
  /// is not written meanwhile.
  ///
  /// - Parameter limit: how many findings of each kind are reported at most. Default: 1,000.
  /// - Returns: what was found. Damage is a finding, not an error.
  /// - Throws: `MagicError`, or `CancellationError`.
  /// - Complexity: O(n) in the size of the database and the number of files, of which none is read.
  public func verify(limit: Int = 1_000) async throws -> MagicReport {
    try await _store.store.maintaining { try $0.verify(limit: limit, $1) }
  }

  /// Corrects what the database says about its assets' files by what its rows say: the counts of the
  /// rows that name each file, the list of columns that hold such names, and the triggers that count.
  ///
  /// ```swift
  /// let repaired = try await magic.repair()
  /// print(repaired)  // no faults
  /// ```
  ///
  /// All of it is one transaction. No file is removed that a row names; one that no row names is
  /// removed. Where the database lists a column that it does not have, its rows may be under another
  /// name: then no count is lowered, and the column stays listed. What else ``verify(limit:)`` finds
  /// is left as it is.
  ///
  /// - Parameter limit: how many findings of each kind are reported at most. Default: 1,000.
  /// - Returns: what was corrected, as a check before it would have reported it.
  /// - Throws: `MagicError`, or `CancellationError`; nothing is changed then.
  /// - Complexity: O(n) in the rows of tables with assets, while others wait to write.
  @discardableResult
  public func repair(limit: Int = 1_000) async throws -> MagicReport {
    try await _store.store.maintaining { try $0.repair(limit: limit, $1) }
  }

  /// Copies the database and its assets to a new file, while others read and write.
  ///
  /// ```swift
  /// try await magic.backup(to: copyPath) { print($0.fraction) }
  /// ```
  ///
  /// The copy is of one committed state, a database like any other, with the same rows under the same
  /// z-indexes. It appears under its name when all of it is on the disk; a copy that fails or is
  /// cancelled leaves nothing. Until it ends the write-ahead log cannot be emptied, and files of
  /// removed assets stay. A database in memory is not written while its pages are copied.
  ///
  /// - Parameters:
  ///   - path: where the copy is to be, as a database is opened. Nothing may lie there, nor anything
  ///     that would belong to it; missing directories are made.
  ///   - allowsMissingAssets: whether files that are not there, or not whole, are left out. Else the
  ///     copy ends with an error. Default: false.
  ///   - progress: is called on no particular thread, every percent and every tenth of a second.
  ///     Default: nothing.
  /// - Throws: `MagicError`: `.fileExists` where something lies there, `.cannotOpen`, `.readOnly`,
  ///   `.diskFull`, `.assetMissing` and `.cannotDecode` for a file that is not there or not whole;
  ///   `CancellationError`.
  public func backup(
    to path: String, allowsMissingAssets: Bool = false,
    progress: @escaping @Sendable (MagicBackupProgress) -> Void = { _ in }
  ) async throws {
    try await _store.store.maintaining {
      try $0.backUp(
        to: path, allowsMissingAssets: allowsMissingAssets, $1, progress: progress)
    }
  }

  /// Copies the database and its assets to a new file, as the call with a path does.
  public func backup(
    to file: URL, allowsMissingAssets: Bool = false,
    progress: @escaping @Sendable (MagicBackupProgress) -> Void = { _ in }
  ) async throws {
    try await backup(
      to: file.pathOfCopy, allowsMissingAssets: allowsMissingAssets, progress: progress)
  }
}

extension MagicObjectStore {
  /// As the asynchronous `verify(limit:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func verify(limit: Int = 1_000) throws -> MagicReport {
    try maintainingBlocking { try $0.verify(limit: limit, $1) }
  }

  /// As the asynchronous `repair(limit:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func repair(limit: Int = 1_000) throws -> MagicReport {
    try maintainingBlocking { try $0.repair(limit: limit, $1) }
  }

  /// As the asynchronous `backup(to:allowsMissingAssets:progress:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func backup(
    to path: String, allowsMissingAssets: Bool = false,
    progress: @escaping (MagicBackupProgress) -> Void = { _ in }
  ) throws {
    try maintainingBlocking {
      try $0.backUp(
        to: path, allowsMissingAssets: allowsMissingAssets, $1, progress: progress)
    }
  }

  /// As the asynchronous `backup(to:allowsMissingAssets:progress:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func backup(
    to file: URL, allowsMissingAssets: Bool = false,
    progress: @escaping (MagicBackupProgress) -> Void = { _ in }
  ) throws {
    try backup(
      to: file.pathOfCopy, allowsMissingAssets: allowsMissingAssets, progress: progress)
  }
}

extension URL {
  /// The path of a file's URL.
  var pathOfCopy: String {
    get throws {
      guard isFileURL else { throw MagicError(.cannotOpen, "The URL of a copy is a file's.") }
      return path
    }
  }
}

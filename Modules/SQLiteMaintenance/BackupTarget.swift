import Foundation
import MagicEngine
package import MagicFiles
import MagicRuntime
import MagicSchema
import SQLiteFiles

/// The target path of a backup. The backup is written under another name, and gets its final name
/// when it is complete and on disk. The database file is renamed last.
package final class BackupTarget {
  package let directory: any FileSystem
  private let path: String
  /// What is written, for messages.
  private let noun: String
  private var names: BackupNames
  /// The lock that shows other processes that this backup is being written; nil if the file system
  /// has no locks.
  private var lock: (any FileLock)?
  private var hasAssets = false
  private var hasMovedAssets = false
  private var isPublished = false
  private let origin = ProcessOrigin()

  /// Prepares a path at which no file exists.
  ///
  /// - Throws: `MagicError`: `.fileExists`, `.cannotOpen`, `.readOnly`.
  convenience init(_ path: String, of files: StoreFiles) throws {
    try self.init(path, besides: files.folder, on: files.makeFileSystem)
  }

  /// - Parameters:
  ///   - folder: the assets of the database of which the backup is made; nil if it has no files.
  ///   - noun: what is written, for messages.
  package init(
    _ path: String, besides folder: AssetFolder?, noun: String = "backup",
    on makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem
  ) throws {
    self.path = try DatabaseFile(path: path).path
    self.noun = noun
    let url = URL(fileURLWithPath: self.path)
    let parent = url.deletingLastPathComponent()
    names = BackupNames(url.lastPathComponent)
    directory = makeFileSystem(parent.path, .full)
    if let folder { try checkNotOwnFile(of: folder) }
    BackupLeftovers(directory: directory, path: parent.path, name: names.name).remove()
    try checkNothingExists()
    do {
      try MissingDirectories(at: parent.path).make(.full, on: makeFileSystem)
    } catch {
      throw MagicError(.cannotOpen, "The directory of the \(noun) cannot be created.", cause: error)
    }
    while !takeLock() { names = BackupNames(names.name) }
    do {
      try writing { try directory.create(names.partial).close() }
    } catch {
      releaseLock()
      throw error
    }
  }

  /// Acquires the lock before the first file is created, so that all files that a killed process
  /// leaves have a lock file.
  ///
  /// - Returns: false if another process has the lock, because it deletes the files of killed
  ///   processes.
  private func takeLock() -> Bool {
    do {
      lock = try directory.lock(names.lock, isShared: false)
      return lock != nil
    } catch {
      try? directory.remove(names.lock)
      return true
    }
  }

  private func releaseLock() {
    guard let lock else { return }
    try? directory.remove(names.lock)
    lock.release()
    self.lock = nil
  }

  private func checkNotOwnFile(of folder: AssetFolder) throws {
    let database =
      folder.path.hasSuffix(StoreFiles.suffix)
      ? String(folder.path.dropLast(StoreFiles.suffix.utf8.count)) : folder.path
    let isOwn =
      Self.companions.contains { path == database + $0 } || path.hasPrefix(folder.path + "/")
    guard !isOwn else {
      throw MagicError(
        .cannotOpen,
        "The path of the backup is a file of the database itself. Choose another path.")
    }
  }

  /// The path of the backup while it is incomplete.
  package var partialPath: String {
    URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent(names.partial).path
  }

  // A companion file next to the backup would be treated as part of it.
  private func checkNothingExists() throws {
    for companion in [""] + Self.companions {
      var status = stat()
      guard lstat(path + companion, &status) != 0 else {
        throw MagicError(
          .fileExists,
          "A file already exists at the path of the \(noun): \(path + companion). Choose another "
            + "path, or delete the file.")
      }
    }
  }

  private static let companions = ["-wal", "-shm", "-journal", LogRecord.suffix, StoreFiles.suffix]

  /// Returns the path of an asset's file in ``directory``.
  package func path(of name: AssetName) -> String { "\(names.partialAssets)/\(name.text)" }

  /// Creates the directory of a batch; for the first batch also the directory above it.
  package func makeBatch(_ batch: String) throws {
    try writing {
      if !hasAssets { _ = try directory.makeDirectory(names.partialAssets) }
      hasAssets = true
      _ = try directory.makeDirectory("\(names.partialAssets)/\(batch)")
    }
  }

  /// Renames a complete backup to its final name. After an error, the caller calls ``discard()``.
  package func publish(batches: Set<String>) throws {
    try writing {
      for batch in batches { try directory.syncDirectory("\(names.partialAssets)/\(batch)") }
      if hasAssets {
        try directory.create("\(names.partialAssets)/\(names.folderMarker)").close()
        try directory.syncDirectory(names.partialAssets)
      }
      try directory.sync(names.partial)
      if hasAssets {
        do {
          try directory.rename(names.partialAssets, to: names.assets)
        } catch {
          // Another backup may have created files at this path meanwhile.
          try checkNothingExists()
          throw error
        }
        hasMovedAssets = true
      }
      try directory.syncDirectory("")
    }
    try linkFinalName()
    isPublished = true
    if hasAssets { try? directory.remove("\(names.assets)/\(names.folderMarker)") }
    try writing { try directory.syncDirectory("") }
    releaseLock()
  }

  // Creating a hard link never replaces a file; a rename would.
  private func linkFinalName() throws {
    guard link(partialPath, path) != 0 else {
      unlink(partialPath)
      return
    }
    let number = errno
    guard number != EEXIST else {
      try checkNothingExists()
      throw MagicError(
        .fileExists,
        "A file already exists at the path of the \(noun): \(path). Choose another path, or delete "
          + "the file.")
    }
    // Some file systems have no hard links.
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(number) else {
      throw failure(FileError(.rename, names.name, number: number))
    }
    var status = stat()
    if lstat(path, &status) == 0 { try checkNothingExists() }
    try writing { try directory.rename(names.partial, to: names.name) }
  }

  /// Deletes the written files.
  package func discard() {
    guard !origin.isForked else { return }
    if isPublished { unlink(path) }
    unlink(partialPath)
    for companion in BackupNames.companions { unlink(partialPath + companion) }
    if hasMovedAssets { try? directory.rename(names.assets, to: names.partialAssets) }
    if hasAssets {
      try? FileManager.default.removeItem(atPath: partialPath + StoreFiles.suffix)
    }
    releaseLock()
  }

  /// Runs the body, and translates file errors into errors about the backup.
  package func writing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileError {
      throw failure(error)
    }
  }

  private func failure(_ error: FileError) -> MagicError {
    let (code, message): (MagicError.Code, String) =
      switch error.code {
      case .diskFull: (.diskFull, "The disk is full, and no \(noun) was made")
      case .denied, .readOnly: (.readOnly, "The directory of the \(noun) is not writable")
      case .notFound, .notAFile: (.cannotOpen, "The directory of the \(noun) does not exist")
      case .exists: (.fileExists, "A file already exists at the path of the \(noun)")
      default: (.inputOutput, "The file system reported an error, and no \(noun) was made")
      }
    return MagicError(code, "\(message): \(error)", cause: error)
  }
}

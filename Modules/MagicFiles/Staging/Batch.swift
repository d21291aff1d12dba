import Foundation
import MagicRuntime

/// A directory that this process may add files to, because it has locked the mark of the batch.
///
/// Staged files retain the batch. When the batch is deinitialised, its mark is removed, unless
/// files remain that a sweep must check.
final class Batch: Locked, @unchecked Sendable {
  let name: String
  private let files: any FileSystem
  /// The lock of the mark; nil while the folder is suspended.
  private var mark: (any FileLock)?
  private var count: Int
  private var removesMark = true
  private var hasDiscarded = false
  private var isSynced = false
  private let origin = ProcessOrigin()

  /// - Parameter count: the number of files in the directory.
  init(_ name: String, _ files: any FileSystem, mark: any FileLock, count: Int) {
    self.name = name
    self.files = files
    self.mark = mark
    self.count = count
    super.init()
  }

  deinit {
    // Without the lock, the mark may belong to another process. In the child process of a fork the
    // batch belongs to the parent.
    if mark != nil, !origin.isForked, removesMark, removeIfEmpty() {
      try? files.remove(FolderLayout.mark(of: name))
    }
    mark?.release()
  }

  /// Whether this process has locked the mark, so that no other process sweeps the batch.
  var isMarked: Bool { withLock { mark != nil } }

  /// Releases the lock of the mark and keeps the mark file. Other processes may sweep the batch
  /// from now on.
  func releaseMark() {
    withLock {
      mark?.release()
      mark = nil
    }
  }

  /// Takes the lock of the mark again if it was released.
  ///
  /// - Throws: `FileError` if another process has locked the mark because it sweeps the batch.
  func regainMark() throws(FileError) {
    lock()
    defer { unlock() }
    guard mark == nil else { return }
    let path = FolderLayout.mark(of: name)
    guard let regained = try files.lock(path, isShared: false) else {
      throw FileError(.lock, path, number: EBUSY)
    }
    if regained.isNew { isSynced = false }
    mark = regained
  }

  /// Removes the directory if it is empty, and syncs the removal of discarded files if it is not.
  ///
  /// - Returns: false if a discarded file might exist again after a power failure, so that the mark
  ///   must be kept.
  private func removeIfEmpty() -> Bool {
    do {
      try files.removeDirectory(name)
    } catch {
      if !hasDiscarded || error.code == .notFound { return true }
      return (try? files.syncDirectory(name)) != nil
    }
    return true
  }

  /// Counts one more file, if the batch can take it.
  ///
  /// - Returns: false if the batch is full.
  func reserve() -> Bool {
    withLock {
      if count >= FolderLayout.batchLimit {
        // Most of the files that were added may have been removed again.
        guard let now = try? files.list(name).count, now < FolderLayout.reuseLimit else {
          return false
        }
        count = now
      }
      count += 1
      return true
    }
  }

  /// Whether the folder must be synced, because it was not synced since the batch and its mark were
  /// created.
  var needsSyncOfFolder: Bool { withLock { !isSynced } }
  func folderWasSynced() { withLock { isSynced = true } }

  /// Keeps the mark, so that the next sweep compares the files of the batch with the database.
  func keepMark() { withLock { removesMark = false } }

  func open(_ path: String) throws -> any ReadableFile { try files.open(path) }

  /// Removes a file that no row refers to. If that fails, the mark is kept for a later sweep.
  func discard(_ path: String) {
    guard !origin.isForked else { return }
    do {
      withLock { hasDiscarded = true }
      try files.remove(path)
    } catch {
      if error.code != .notFound { withLock { removesMark = false } }
    }
  }
}

import Foundation
import MagicRuntime

/// A directory that this session may put files into.
///
/// Whoever has a file staged in it holds it. When nobody does, it is tidied up: its mark goes, unless
/// something was left in it.
final class Batch: Locked, @unchecked Sendable {
  let name: String
  private let files: any FileSystem
  /// Nil while the folder is suspended.
  private var mark: (any FileLock)?
  private var count: Int
  private var isOrderly = true
  private var hasDiscarded = false
  private var isSynced = false
  private let origin = ProcessOrigin()

  /// - Parameter count: how many files lie in the directory.
  init(_ name: String, _ files: any FileSystem, mark: any FileLock, count: Int) {
    self.name = name
    self.files = files
    self.mark = mark
    self.count = count
    super.init()
  }

  deinit {
    // Without its lock the mark may be another's. In the child of a fork the batch is the parent's.
    if mark != nil, !origin.isForked, isOrderly, isTidiedUp() {
      try? files.remove(FolderLayout.mark(of: name))
    }
    mark?.release()
  }

  /// Whether nobody sweeps it.
  var isMarked: Bool { withLock { mark != nil } }

  /// Lets go of the lock of its mark, which stays: what lies in the batch may be swept by others from
  /// now on.
  func releaseMark() {
    withLock {
      mark?.release()
      mark = nil
    }
  }

  /// Takes the lock again where it was let go of.
  ///
  /// - Throws: `FileError` where another process has it, and sweeps the batch.
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

  /// Removes the directory where nothing lies in it.
  ///
  /// - Returns: false where a file that was discarded might come back when the power fails.
  private func isTidiedUp() -> Bool {
    do {
      try files.removeDirectory(name)
    } catch {
      if !hasDiscarded || error.code == .notFound { return true }
      return (try? files.syncDirectory(name)) != nil
    }
    return true
  }

  /// Takes a place for one more file.
  ///
  /// - Returns: false where the batch is full.
  func reserve() -> Bool {
    withLock {
      if count >= FolderLayout.batchLimit {
        // Most of what was put in may be gone again.
        guard let now = try? files.list(name).count, now < FolderLayout.reuseLimit else {
          return false
        }
        count = now
      }
      count += 1
      return true
    }
  }

  /// Whether the folder itself has been synced since the batch and its mark were made.
  var needsSyncOfFolder: Bool { withLock { !isSynced } }
  func folderWasSynced() { withLock { isSynced = true } }

  /// What lies in it is to be compared with the database at the next opening.
  func leaveMarked() { withLock { isOrderly = false } }

  func open(_ path: String) throws -> any ReadableFile { try files.open(path) }

  /// Removes a file that no row names; where that fails, the mark stays for a later sweep.
  func discard(_ path: String) {
    guard !origin.isForked else { return }
    do {
      withLock { hasDiscarded = true }
      try files.remove(path)
    } catch {
      if error.code != .notFound { withLock { isOrderly = false } }
    }
  }
}

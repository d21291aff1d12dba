import MagicRuntime

extension AssetFolder {
  /// Takes the shared lock of the folder, which prevents every process from removing files while
  /// files are copied.
  ///
  /// - Returns: nil while a process is removing files.
  package func lockForCopying() throws -> FolderLock? {
    do {
      return try files.lock(FolderLayout.lockFile, isShared: true).map { FolderLock($0) }
    } catch {
      guard error.code == .notFound else { throw error }
      // The folder does not exist. Files that are added to it later are not part of the copy.
      return FolderLock(nil)
    }
  }

  /// Runs the body with the exclusive lock of the folder.
  ///
  /// - Returns: nil, without running the body, while a process copies the folder.
  func withExclusiveLock<Result>(_ body: () throws -> Result) throws -> Result? {
    guard try beginRemoving() else { return nil }
    defer { endRemoving() }
    return try body()
  }

  /// Removes the lock file, unless a process has locked it. The folder of a database without assets is
  /// then empty.
  ///
  /// The file is removed while this process holds the exclusive lock. A process that has opened the
  /// file before, and locks it afterwards, notices that the file was removed, and locks a new one.
  package func removeLockFile() {
    guard !origin.isForked, let entries = try? files.list(""),
      entries.contains(where: { $0.name == FolderLayout.lockFile })
    else { return }
    withLock {
      // The tasks that remove files now have the same lock, and would continue without it.
      guard removerCount == 0,
        let lock = try? files.lock(FolderLayout.lockFile, isShared: false)
      else { return }
      try? files.remove(FolderLayout.lockFile)
      lock.release()
    }
  }

  // The tasks of one process that remove files share one lock, because they do not exclude each
  // other.
  private func beginRemoving() throws(FileError) -> Bool {
    guard !origin.isForked else { throw FileError(.lock, "", code: .forked) }
    lock()
    defer { unlock() }
    if removerCount == 0 {
      guard let lock = try files.lock(FolderLayout.lockFile, isShared: false) else { return false }
      removalLock = lock
    }
    removerCount += 1
    return true
  }

  private func endRemoving() {
    withLock {
      removerCount -= 1
      if removerCount == 0 {
        removalLock?.release()
        removalLock = nil
      }
    }
  }
}

/// The shared lock of an asset folder. No file is removed from the folder until the lock is
/// released.
package final class FolderLock: Sendable {
  private let fileLock: Mutex<(any FileLock)?>

  init(_ fileLock: (any FileLock)?) { self.fileLock = Mutex(fileLock) }

  deinit { release() }

  /// Whether a lock is held. False after the lock was released, and if the folder did not exist
  /// when the lock was requested.
  package var isLocked: Bool { fileLock.withLock { $0 != nil } }

  package func release() {
    fileLock.withLock { fileLock in
      fileLock?.release()
      fileLock = nil
    }
  }
}

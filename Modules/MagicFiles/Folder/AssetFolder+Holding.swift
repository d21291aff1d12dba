import MagicRuntime

extension AssetFolder {
  /// Takes the shared lock of the folder, which prevents every process from removing files while
  /// files are copied.
  ///
  /// - Returns: nil while a process is removing files.
  package func hold() throws -> FolderHold? {
    do {
      return try files.lock(FolderLayout.hold, isShared: true).map { FolderHold($0) }
    } catch {
      guard error.code == .notFound else { throw error }
      // The folder does not exist. Files that are added to it later are not part of the copy.
      return FolderHold(nil)
    }
  }

  /// Runs the body with the exclusive lock of the folder.
  ///
  /// - Returns: nil, without running the body, while a process copies the folder.
  func whileUnheld<Result>(_ body: () throws -> Result) throws -> Result? {
    guard try beginRemoving() else { return nil }
    defer { endRemoving() }
    return try body()
  }

  // The tasks of one process that remove files share one lock, because they do not exclude each
  // other.
  private func beginRemoving() throws(FileError) -> Bool {
    guard !origin.isForked else { throw FileError(.lock, "", code: .forked) }
    lock()
    defer { unlock() }
    if removers == 0 {
      guard let lock = try files.lock(FolderLayout.hold, isShared: false) else { return false }
      removal = lock
    }
    removers += 1
    return true
  }

  private func endRemoving() {
    withLock {
      removers -= 1
      if removers == 0 {
        removal?.release()
        removal = nil
      }
    }
  }
}

/// The shared lock of an asset folder. No file is removed from the folder until the lock is
/// released.
package final class FolderHold: Sendable {
  private let fileLock: Mutex<(any FileLock)?>

  init(_ fileLock: (any FileLock)?) { self.fileLock = Mutex(fileLock) }

  deinit { end() }

  /// Whether the folder existed when the lock was taken.
  package var isOfFolder: Bool { fileLock.withLock { $0 != nil } }

  package func end() {
    fileLock.withLock { fileLock in
      fileLock?.release()
      fileLock = nil
    }
  }
}

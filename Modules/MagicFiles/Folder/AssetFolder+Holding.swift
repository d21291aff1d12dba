import MagicRuntime

extension AssetFolder {
  /// Keeps every process from removing files, for as long as they are copied.
  ///
  /// - Returns: nil where files are being removed just now.
  package func hold() throws -> FolderHold? {
    do {
      return try files.lock(FolderLayout.hold, isShared: true).map { FolderHold($0) }
    } catch {
      guard error.code == .notFound else { throw error }
      // Of what is put into a folder that is not there yet, a copy holds nothing.
      return FolderHold(nil)
    }
  }

  /// Runs the body while nobody can hold the folder.
  ///
  /// - Returns: nil where somebody holds it; the body has not run then.
  func whileUnheld<Result>(_ body: () throws -> Result) throws -> Result? {
    guard try beginRemoving() else { return nil }
    defer { endRemoving() }
    return try body()
  }

  // Those of one process share a lock, as they do not exclude each other.
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

/// Nothing is removed from the folder until this is ended or released.
package final class FolderHold: Sendable {
  private let fileLock: Mutex<(any FileLock)?>

  init(_ fileLock: (any FileLock)?) { self.fileLock = Mutex(fileLock) }

  deinit { end() }

  /// Whether there is a folder that is held; else nothing lay in it when it was asked.
  package var isOfFolder: Bool { fileLock.withLock { $0 != nil } }

  package func end() {
    fileLock.withLock { fileLock in
      fileLock?.release()
      fileLock = nil
    }
  }
}

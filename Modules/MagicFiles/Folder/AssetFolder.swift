package import Foundation
package import MagicRuntime

/// The folder that contains the asset files of a database.
///
/// The files are stored in batches, which are directories of about a thousand files. A file is
/// first staged, then published under its final name, and never changed afterwards. A process that
/// adds files to a batch creates and locks a mark file for it. Therefore a sweep checks only the
/// batches whose marks remain from processes that have ended, not every file.
package final class AssetFolder: Locked, @unchecked Sendable {
  package let path: String
  let files: any FileSystem
  private let makeRoot: (@Sendable () throws(FileError) -> Void)?
  let stagedNames = StagedNames()
  // The following properties are guarded by the lock.
  var current: Batch?
  var batches: [WeakBatch] = []
  var phase = Phase.open
  private var isFolderCreated = false
  private var hasBegunBatch = false
  private var isSynced = false
  var removerCount = 0
  let origin = ProcessOrigin()
  var removalLock: (any FileLock)?

  enum Phase {
    case open
    /// No file is staged before ``AssetFolder/resume()``.
    case suspended
    /// No file is staged any more.
    case closed
  }

  /// Creates an instance for a path. The file system is not accessed.
  ///
  /// - Parameter makeRoot: creates the folder; nil if the file system `files` creates it.
  package init(
    _ files: any FileSystem, path: String,
    makingRoot makeRoot: (@Sendable () throws(FileError) -> Void)? = nil
  ) {
    self.files = files
    self.path = path
    self.makeRoot = makeRoot
    super.init()
  }

  /// Returns the URL of a file.
  package func url(of name: AssetName) -> URL {
    URL(fileURLWithPath: path, isDirectory: true)
      .appendingPathComponent(name.text, isDirectory: false)
  }

  /// Opens a file for reading. The file may be staged.
  ///
  /// - Throws: `FileError`; with `.wrongSize` if the size of the file differs from the size in its
  ///   name.
  package func open(_ name: AssetName) throws -> any ReadableFile {
    let file = try openPublishedOrStaged(name)
    guard file.size == name.size else {
      file.close()
      throw FileError(.open, name.text, code: .wrongSize)
    }
    return file
  }

  private func openPublishedOrStaged(_ name: AssetName) throws -> any ReadableFile {
    do {
      return try files.open(name.text)
    } catch {
      guard error.code == .notFound, let staged = stagedNames.file(named: name) else { throw error }
      return try staged.open()
    }
  }

  /// Ends the current batch and accepts no further files. The mark of the batch is removed when no
  /// staged file of it remains.
  package func close() {
    withLock {
      current = nil
      phase = .closed
    }
  }

  /// Returns a batch that can take one more file.
  func batchWithRoom() throws(FileError) -> Batch {
    guard !origin.isForked else { throw FileError(.create, "", code: .forked) }
    lock()
    defer { unlock() }
    switch phase {
    case .open: break
    case .suspended: throw FileError(.create, "", code: .suspended)
    case .closed: throw FileError(.create, "", number: EBADF)
    }
    if let current, current.reserve() { return current }
    current = nil
    try makeFolder()
    let batch = try nextBatch()
    hasBegunBatch = true
    current = batch
    track(batch)
    _ = batch.reserve()
    return batch
  }

  /// Ends a batch whose directory was removed.
  func abandon(_ batch: Batch) {
    withLock {
      if current === batch { current = nil }
    }
  }

  /// Syncs the names of batches and marks, and on the first call the name of the folder itself: the
  /// process that created the folder may have ended before it synced the name.
  func syncFolder() throws(FileError) {
    if !withLock({ isSynced }) {
      do {
        try files.syncDirectory("..")
      } catch {
        // A directory that cannot be opened for reading cannot be synced.
        guard error.code == .denied else { throw error }
      }
      withLock { isSynced = true }
    }
    try files.syncDirectory("")
  }

  // Only once: a folder that is removed later is not created again.
  private func makeFolder() throws(FileError) {
    guard !isFolderCreated else { return }
    if let makeRoot {
      try makeRoot()
    } else {
      _ = try files.makeDirectory("")
    }
    isFolderCreated = true
  }

  private func nextBatch() throws(FileError) -> Batch {
    if !hasBegunBatch, let batch = try batchToReuse() { return batch }
    return try newBatch()
  }

  private func newBatch() throws(FileError) -> Batch {
    while true {
      let name = String.randomHexDigits()
      // The mark is created first, so that the batch never contains files without having a mark.
      guard let mark = try files.lock(FolderLayout.mark(of: name), isShared: false) else {
        continue
      }
      let batch = Batch(name, files, mark: mark, count: 0)
      if try files.makeDirectory(name) { return batch }
    }
  }

  /// Returns one of two existing batches that are selected at random, so that sessions with few
  /// files share batches; nil if both are unsuitable.
  private func batchToReuse() throws(FileError) -> Batch? {
    let entries = try files.list("")
    let marked = Set(entries.compactMap { FolderLayout.batch(ofMark: $0.name) })
    let unmarked = entries.filter {
      $0.kind == .directory && $0.name.isSixteenHexDigits && !marked.contains($0.name)
    }
    for entry in unmarked.shuffled().prefix(2) {
      let path = FolderLayout.mark(of: entry.name)
      // If a mark was left by another process meanwhile, the batch must be swept first.
      guard let mark = try files.lock(path, isShared: false), mark.isNew else { continue }
      guard let count = try? files.list(entry.name).count else {
        try? files.remove(path)
        continue
      }
      let batch = Batch(entry.name, files, mark: mark, count: count)
      if count < FolderLayout.reuseLimit { return batch }
    }
    return nil
  }
}

package import Foundation
package import MagicRuntime

/// The folder that holds the large values of a database as files.
///
/// Files lie in batches, directories of about a thousand. A file is staged, settled and from then on
/// never changed. Each process marks the batches that it puts files into, so that a sweep looks at
/// what an ended process left, not at every file.
package final class AssetFolder: Locked, @unchecked Sendable {
  package let path: String
  let files: any FileSystem
  private let makeRoot: (@Sendable () throws(FileError) -> Void)?
  let stagedNames = StagedNames()
  // These are guarded by the lock.
  var current: Batch?
  var batches: [WeakBatch] = []
  var phase = Phase.open
  private var isMade = false
  private var hasBegunBatch = false
  private var isSynced = false
  var removers = 0
  let origin = ProcessOrigin()
  var removal: (any FileLock)?

  enum Phase {
    case open
    /// No file is staged before ``AssetFolder/resume()``.
    case suspended
    /// No file is staged any more.
    case closed
  }

  /// Names a folder; nothing is touched.
  ///
  /// - Parameter makeRoot: makes the folder; nil for one that the file system makes.
  package init(
    _ files: any FileSystem, path: String,
    makingRoot makeRoot: (@Sendable () throws(FileError) -> Void)? = nil
  ) {
    self.files = files
    self.path = path
    self.makeRoot = makeRoot
    super.init()
  }

  /// Where a file lies.
  package func url(of name: AssetName) -> URL {
    URL(fileURLWithPath: path, isDirectory: true)
      .appendingPathComponent(name.text, isDirectory: false)
  }

  /// Opens a file for reading, also one that is staged.
  ///
  /// - Throws: `FileError`; with `.wrongSize` for a file that was cut off or has grown.
  package func open(_ name: AssetName) throws -> any ReadableFile {
    let file = try openEvenStaged(name)
    guard file.size == name.size else {
      file.close()
      throw FileError(.open, name.text, code: .wrongSize)
    }
    return file
  }

  private func openEvenStaged(_ name: AssetName) throws -> any ReadableFile {
    do {
      return try files.open(name.text)
    } catch {
      guard error.code == .notFound, let staged = stagedNames.file(named: name) else { throw error }
      return try staged.open()
    }
  }

  /// Gives the current batch up, and takes no more files: its mark goes as soon as nothing is staged
  /// in it.
  package func close() {
    withLock {
      current = nil
      phase = .closed
    }
  }

  /// A batch with a place for one more file.
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
    enter(batch)
    _ = batch.reserve()
    return batch
  }

  /// Gives up a batch whose directory is gone.
  func abandon(_ batch: Batch) {
    withLock {
      if current === batch { current = nil }
    }
  }

  /// Brings the names of batches and marks to the disk, and the first time that of the folder: who
  /// made it may have ended before doing so.
  func syncFolder() throws(FileError) {
    if !withLock({ isSynced }) {
      do {
        try files.syncDirectory("..")
      } catch {
        // A directory that cannot be read cannot be synced.
        guard error.code == .denied else { throw error }
      }
      withLock { isSynced = true }
    }
    try files.syncDirectory("")
  }

  // Once: a folder that is removed later is not made again.
  private func makeFolder() throws(FileError) {
    guard !isMade else { return }
    if let makeRoot {
      try makeRoot()
    } else {
      _ = try files.makeDirectory("")
    }
    isMade = true
  }

  private func nextBatch() throws(FileError) -> Batch {
    if !hasBegunBatch, let batch = try batchToReuse() { return batch }
    return try newBatch()
  }

  private func newBatch() throws(FileError) -> Batch {
    while true {
      let name = String.randomHexDigits()
      // The mark comes first: there is no moment at which the batch has files and no mark.
      guard let mark = try files.lock(FolderLayout.mark(of: name), isShared: false) else {
        continue
      }
      let batch = Batch(name, files, mark: mark, count: 0)
      if try files.makeDirectory(name) { return batch }
    }
  }

  /// One of two that were picked at random, so that sessions with few files share batches.
  private func batchToReuse() throws(FileError) -> Batch? {
    let entries = try files.list("")
    let marked = Set(entries.compactMap { FolderLayout.batch(ofMark: $0.name) })
    let unmarked = entries.filter {
      $0.kind == .directory && $0.name.isSixteenHexDigits && !marked.contains($0.name)
    }
    for entry in unmarked.shuffled().prefix(2) {
      let path = FolderLayout.mark(of: entry.name)
      // A mark that another has left in between is one for the sweep.
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

package import MagicEngine
import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

/// A backup of a database and its files, as of one snapshot.
package final class Backup {
  private let store: MaintenanceContext
  private let target: BackupTarget
  private let cancellation: CancellationToken
  private var reporter: ProgressReporter

  private init(
    of store: MaintenanceContext, to target: BackupTarget, _ cancellation: CancellationToken,
    _ reporter: ProgressReporter
  ) {
    self.store = store
    self.target = target
    self.cancellation = cancellation
    self.reporter = reporter
  }

  /// Makes a backup. After an error, all files of the backup are deleted.
  ///
  /// - Returns: the target of the backup, which the caller may still discard.
  package static func run(
    of store: MaintenanceContext, to path: String, allowsMissingAssets: Bool, compacts: Bool,
    _ cancellation: CancellationToken, _ report: @escaping (MagicBackupProgress) -> Void
  ) throws -> BackupTarget {
    let target = try BackupTarget(path, of: store.files)
    do {
      let backup = Backup(of: store, to: target, cancellation, ProgressReporter(report))
      try backup.run(allowsMissingAssets, compacts)
      return target
    } catch {
      target.discard()
      throw error
    }
  }

  private func run(_ allowsMissingAssets: Bool, _ compacts: Bool) throws {
    defer { store.retryRemovals() }
    let folderLock = try copyDatabase()
    defer { folderLock?.release() }
    if compacts { try compactCopy() }
    let copy = try SQLiteConnection(
      path: target.partialPath, configuration: SQLiteConfiguration(access: .immutable))
    defer { copy.close() }
    let files = FileCopy(
      from: store.files.folder, to: target, names: try ReferencedFiles(on: copy),
      allowsMissing: allowsMissingAssets)
    try copy.withCancellationCheck({ [cancellation] in cancellation.isCancelled }) {
      try files.run { bytes in
        try cancellation.check()
        if let bytes { reporter.didCopy(bytes: bytes) } else { reporter.didEndFile() }
      }
    }
    try cancellation.check()
    try target.publish(batches: files.batches)
    reporter.end()
  }

  /// Copies the pages of one snapshot.
  ///
  /// - Returns: the lock that keeps the snapshot's files; nil if no process can delete files.
  private func copyDatabase() throws -> FolderLock? {
    try store.withOwnConnection(cancellation) { source in
      var attempt = 0
      while true {
        attempt += 1
        // The files are locked before the snapshot begins, so that none of them is deleted.
        let folderLock = try lockFolder()
        let isCopied = try source.snapshot {
          let (files, bytes) = try countFiles(source)
          // The folder may have been created after the lock was requested; then another attempt
          // locks it. If the folder was lost, no attempt can lock it.
          guard files == 0 || folderLock?.isLocked != false || attempt == 3 else { return false }
          try copyPages(of: source, files: files, bytes: bytes)
          return true
        }
        if isCopied { return folderLock }
      }
    }
  }

  private func countFiles(_ source: SQLiteConnection) throws -> (files: Int, bytes: Int) {
    var (files, bytes) = (0, 0)
    try ReferencedFiles(on: source).forEachFile { name in
      files += 1
      // A name may contain any size, so the sum may overflow.
      bytes = bytes.addingReportingOverflow(name.size).partialValue
    }
    return (files, max(0, min(bytes, 1 << 60)))
  }

  private func copyPages(of source: SQLiteConnection, files: Int, bytes: Int) throws {
    let copy = try SQLiteConnection(
      reading: target.partialPath,
      configuration: SQLiteConfiguration(
        access: .readWriteExisting, durability: .full, cacheSize: 4_096))
    defer { copy.close() }
    try copy.prepareForCopy()
    let pageSize = Int(try source.integer("PRAGMA page_size") ?? 4_096)
    let pageCount = Int(try source.integer("PRAGMA page_count") ?? 0)
    reporter.begin(pages: pageCount, pageSize: pageSize, files: files, bytes: bytes)
    let backup = try SQLiteBackup(of: source, to: copy)
    defer { backup.end() }
    repeat {
      try cancellation.check()
      reporter.didCopy(pages: backup.pagesDone, of: pageSize)
    } while try backup.step(pages: Self.stepPages)
    reporter.didCopy(pages: backup.pagesDone, of: pageSize)
  }

  /// Removes the free pages of the copied pages.
  private func compactCopy() throws {
    let copy = try SQLiteConnection(
      path: target.partialPath,
      configuration: SQLiteConfiguration(
        access: .readWriteExisting, durability: .normal, cacheSize: 4_096))
    defer { copy.close() }
    let compaction = Compaction(cancellation) { _ in }
    if try copy.hasIncrementalVacuum() {
      try compaction.returnPages(of: try copy.pageCounts()) { body in
        try copy.transaction { try body(copy) }
      }
    } else {
      try copy.sortingInFiles { try compaction.rewrite(copy) }
    }
    // Closing the connection would ignore an error.
    guard copy.checkpoint(.truncate) else {
      throw MagicError(.inputOutput, "The compacted pages of the backup cannot be written.")
    }
  }

  /// The number of pages in one step: 1 MiB at the default page size, as much as is copied of a
  /// file in one step.
  private static let stepPages = 256

  /// Locks the folder, so that no files are deleted.
  private func lockFolder() throws -> FolderLock? {
    try store.files.folder.lockForCopying(waiting: store.busyTimeout) { try cancellation.check() }
  }
}

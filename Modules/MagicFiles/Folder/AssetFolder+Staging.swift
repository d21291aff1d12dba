import Foundation

extension AssetFolder {
  /// Creates a staged file that contains what the body writes. The file is not synced and does not
  /// have its final name yet.
  ///
  /// The file is removed if the body throws.
  package func stage(
    pathExtension: String?, _ write: (FileSink) throws -> Void
  ) throws -> StagedFile {
    let sink = try beginStaging(pathExtension: pathExtension)
    try write(sink)
    return try sink.finish()
  }

  /// Creates a file to which bytes are appended step by step.
  ///
  /// - Throws: `FileError`, also for an invalid path extension.
  package func beginStaging(pathExtension: String?) throws -> FileSink {
    let digits = String.randomHexDigits()
    if let pathExtension, !AssetName.isExtension(pathExtension) {
      throw FileError(.create, "", number: EINVAL)
    }
    let batch = try batchWithRoom()
    do {
      return try begin(digits, pathExtension, in: batch)
    } catch {
      guard error.code == .notFound else { throw error }
      // Another process has removed the directory.
      abandon(batch)
      return try begin(digits, pathExtension, in: batchWithRoom())
    }
  }

  private func begin(
    _ digits: String, _ pathExtension: String?, in batch: Batch
  ) throws(FileError) -> FileSink {
    let file = try files.create(FolderLayout.temporary(digits, in: batch.name))
    return FileSink(file, digits, pathExtension, in: batch, stagedNames)
  }

  /// Publishes staged files: syncs them and renames them to their final names. Afterwards rows may
  /// refer to them.
  ///
  /// If this function throws, the caller discards all of the files, or calls the function again.
  /// Calling it again is not possible for files whose content could not be synced.
  package func publish(_ staged: [StagedFile]) throws {
    let staged = staged.filter { !$0.isPublished }
    var batches: [ObjectIdentifier: Batch] = [:]
    for file in staged { batches[ObjectIdentifier(file.batch)] = file.batch }
    for batch in batches.values { try batch.regainMark() }
    // The marks are synced before any file has its final name.
    let new = batches.values.filter(\.needsSyncOfFolder)
    if !new.isEmpty {
      try syncFolder()
      for batch in new { batch.folderWasSynced() }
    }
    // If publishing is repeated, another process may have swept the file while this process was
    // suspended.
    for file in staged where file.isRenamed { try files.open(file.name.text).close() }
    try syncing(staged) {
      try files.sync(all: staged.filter { !$0.isRenamed }.map(\.temporary))
    }
    for file in staged { try file.rename(files) }
    for batch in batches.values { try files.syncDirectory(batch.name) }
    for file in staged { file.markPublished() }
  }

  /// Marks the files as failed if the body, which syncs them, throws. The operating system reports
  /// a failed sync only once, so the content of the files is unknown and another sync would not
  /// report the failure.
  private func syncing(_ staged: [StagedFile], _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      for file in staged where !file.isRenamed { file.fail() }
      throw error
    }
  }

  /// Removes files that no row refers to, whether they are published or not.
  package func discard(_ staged: [StagedFile]) {
    for file in staged { file.discard() }
  }
}

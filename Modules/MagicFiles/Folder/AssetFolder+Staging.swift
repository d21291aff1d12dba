import Foundation

extension AssetFolder {
  /// Makes a file of what the body writes, neither synced nor under its name yet.
  ///
  /// Nothing is left of it where the body throws.
  package func stage(
    pathExtension: String?, _ write: (FileSink) throws -> Void
  ) throws -> StagedFile {
    let sink = try beginStaging(pathExtension: pathExtension)
    try write(sink)
    return try sink.finish()
  }

  /// Begins a file that is written bit by bit.
  ///
  /// - Throws: `FileError`, also for an extension that is none.
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
      // Somebody has removed the directory.
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

  /// Brings files to the disk and under their names; after that rows may name them.
  ///
  /// Where it throws, the caller discards them all, or tries again with those that can be: not after
  /// their content could not be synced.
  package func settle(_ staged: [StagedFile]) throws {
    let staged = staged.filter { !$0.isSettled }
    var batches: [ObjectIdentifier: Batch] = [:]
    for file in staged { batches[ObjectIdentifier(file.batch)] = file.batch }
    for batch in batches.values { try batch.regainMark() }
    // The marks are there before any file is under its name.
    let new = batches.values.filter(\.needsSyncOfFolder)
    if !new.isEmpty {
      try syncFolder()
      for batch in new { batch.folderWasSynced() }
    }
    // Another process may have swept one that waited while this one was suspended.
    for file in staged where file.isRenamed { try files.open(file.name.text).close() }
    try syncing(staged) {
      try files.sync(all: staged.filter { !$0.isRenamed }.map(\.temporary))
    }
    for file in staged { try file.rename(files) }
    for batch in batches.values { try files.syncDirectory(batch.name) }
    for file in staged { file.settle() }
  }

  /// After a sync that failed the next one says nothing of it: the files are lost.
  private func syncing(_ staged: [StagedFile], _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      for file in staged where !file.isRenamed { file.fail() }
      throw error
    }
  }

  /// Removes files that no row names, settled or not.
  package func discard(_ staged: [StagedFile]) {
    for file in staged { file.discard() }
  }
}

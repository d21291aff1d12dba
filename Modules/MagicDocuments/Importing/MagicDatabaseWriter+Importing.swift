public import MagicSchema
public import MagicStore

extension AsyncMagicDatabaseReader {
  /// Reads a file without importing it: how many records can be imported, which columns they have,
  /// which values would be lost, and the first errors.
  ///
  /// - Parameter file: the file.
  /// - Throws: `MagicError`: `.cannotOpen` or `.inputOutput` if the file cannot be read, and
  ///   `.invalidOption`; `CancellationError` in a cancelled task.
  /// - Complexity: O(n) in the size of the file. Memory grows by some 16 bytes for each primary value in
  ///   the file, because later records can refer to its object. A document in the form of flatted is in memory
  ///   with all its objects.
  public func importPlan<Model: MagicObject>(
    for file: MagicImport<Model>
  ) async throws -> MagicImportPlan {
    try await _read { access in
      let objects = try ObjectImport(file)
      defer { objects.run.close() }
      return try objects.plan(access.reader)
    }
  }
}

extension AsyncMagicDatabaseWriter {
  /// Saves the records of a file as objects.
  ///
  /// A record whose primary or key is stored, or is that of an earlier record, updates the properties for
  /// which there is a column, and keeps the others. All other records are inserted. The file is read in pieces,
  /// and memory does not grow with the number of records: those that are saved together are at most 1,000, and
  /// none is added to 16 MiB. A document in the form of flatted is in memory with
  /// all its objects, its records are committed together, and two of them with one primary are an error.
  /// Other writes wait for the records that are committed together.
  ///
  /// - Parameters:
  ///   - file: the file, and how its columns become properties.
  ///   - progress: receives how much is imported, after every 1,000 records, or fewer that have 16 MiB
  ///     together. Those of a document in the form of flatted are read then, and saved at the end.
  /// - Returns: what was imported.
  /// - Throws: `MagicError` with a ``MagicImportError`` as its cause, which has the line and the column:
  ///   `.cannotDecode` for a record that is not one of the type, `.missingValue`, `.notUnique` and other
  ///   codes as for `update(_:)`; `.cannotOpen`, `.inputOutput`, `.invalidOption`; `CancellationError`
  ///   in a cancelled task. Nothing of what would have been committed together is stored then.
  @discardableResult
  public func importObjects<Model: MagicObject>(
    _ file: MagicImport<Model>,
    progress: @escaping @Sendable (MagicImportProgress) -> Void = { _ in }
  ) async throws -> MagicImportSummary {
    if file.commits == .eachBatch { return try await importBatches(file, progress) }
    return try await _write(isRepeatable: true) { access in
      // A write that is repeated reads the file again.
      let objects = try ObjectImport(file)
      let run = objects.run
      defer { run.close() }
      while let batch = try run.nextBatch({ try Self.pause(run, progress) }) {
        try Task.checkCancellation()
        try objects.save(batch, in: access.objects)
        if let last = batch.last { run.didSave(batch.count, last: last.place, isCommitted: false) }
        progress(run.progress)
      }
      try Task.checkCancellation()
      return run.summary
    }
  }

  /// Reports the progress within a batch, and ends the import in a cancelled task.
  private static func pause(
    _ run: ImportRun, _ progress: (MagicImportProgress) -> Void
  ) throws {
    try Task.checkCancellation()
    progress(run.progress)
  }

  private func importBatches<Model: MagicObject>(
    _ file: MagicImport<Model>, _ progress: @escaping @Sendable (MagicImportProgress) -> Void
  ) async throws -> MagicImportSummary {
    let objects = try ObjectImport(file)
    let run = objects.run
    defer { run.close() }
    while let batch = try run.nextBatch({ try Self.pause(run, progress) }) {
      do {
        try await _write(isRepeatable: true) { try objects.save(batch, in: $0.objects) }
      } catch let error as MagicError {
        // The commit can fail too, for example on a full disk.
        throw objects.uncommitted(error, batch)
      }
      if let last = batch.last { run.didSave(batch.count, last: last.place, isCommitted: true) }
      progress(run.progress)
    }
    return run.summary
  }
}

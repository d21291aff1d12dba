extension AssetFolder {
  /// Removes files that ended processes have left: temporary files, and files that no row refers
  /// to.
  ///
  /// Only batches whose mark no process has locked are checked. Files whose names do not have the
  /// format of this library are kept. While another process holds the folder lock, nothing is
  /// removed. If a batch fails, the other batches are swept before the error is thrown, and the
  /// next sweep tries the batch again.
  ///
  /// - Parameter findReferenced: returns which of up to 1,000 files are referenced by a row.
  /// - Returns: the number of removed files.
  package func sweep(findReferenced: ([AssetName]) throws -> Set<AssetName>) throws -> Int {
    let batches = try listed("").filter { $0.kind == .file }
      .compactMap { FolderLayout.batch(ofMark: $0.name) }
    guard !batches.isEmpty else { return 0 }
    let count = try withExclusiveLock {
      var count = 0
      var failure: (any Error)?
      for batch in batches {
        do {
          try sweep(batch, findReferenced, &count)
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
      return count
    }
    return count ?? 0
  }

  private func sweep(
    _ batch: String, _ findReferenced: ([AssetName]) throws -> Set<AssetName>, _ count: inout Int
  ) throws {
    let markPath = FolderLayout.mark(of: batch)
    guard let mark = try files.lock(markPath, isShared: false) else { return }
    defer { mark.release() }
    // A new mark: since the marks were listed, a process has ended the batch, or another one has swept it.
    if !mark.isNew {
      let isEmpty = try sweepFiles(of: batch, findReferenced, &count)
      if isEmpty { try removeEmpty(batch) }
    }
    try files.remove(markPath)
  }

  /// - Returns: whether the directory of the batch is empty now.
  private func sweepFiles(
    of batch: String, _ findReferenced: ([AssetName]) throws -> Set<AssetName>, _ count: inout Int
  ) throws -> Bool {
    let entries: [FileEntry]
    do {
      entries = try files.list(batch)
    } catch {
      guard error.code == .notFound || error.code == .notAFile else { throw error }
      return false
    }
    var paths: [String] = []
    var names: [AssetName] = []
    for entry in entries where entry.kind == .file {
      let path = "\(batch)/\(entry.name)"
      if FolderLayout.isTemporary(entry.name) {
        paths.append(path)
      } else if let name = AssetName(path) {
        names.append(name)
      }
    }
    var start = 0
    while start < names.count {
      let some = Array(names[start..<min(start + 1_000, names.count)])
      let referenced = try findReferenced(some)
      paths += some.lazy.filter { !referenced.contains($0) }.map(\.text)
      start += some.count
    }
    for path in paths {
      guard try removeLeftover(path) else { continue }
      count += 1
    }
    // The removal of the files is synced before the mark is removed.
    if !paths.isEmpty { try files.syncDirectory(batch) }
    return paths.count == entries.count
  }

  /// - Returns: false if another process has removed the file.
  private func removeLeftover(_ path: String) throws(FileError) -> Bool {
    do {
      try files.remove(path)
      return true
    } catch {
      guard error.code == .notFound else { throw error }
      return false
    }
  }

  private func removeEmpty(_ batch: String) throws(FileError) {
    do {
      try files.removeDirectory(batch)
    } catch {
      // Another process may have added a file to the directory.
      guard error.code == .other || error.code == .exists else { throw error }
    }
  }
}

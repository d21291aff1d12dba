extension AssetFolder {
  /// Removes what ended processes left: files that were being written, and files that no row names.
  ///
  /// It looks at batches alone that are marked and that nobody has. What is not of our form stays, and
  /// so does everything while somebody holds the folder. A batch that fails is left for the next sweep;
  /// the others are swept before its error is thrown.
  ///
  /// - Parameter alive: says which of up to 1,000 files are named by a row.
  /// - Returns: how many files were removed.
  package func sweep(alive: ([AssetName]) throws -> Set<AssetName>) throws -> Int {
    let batches = try listed("").filter { $0.kind == .file }
      .compactMap { FolderLayout.batch(ofMark: $0.name) }
    guard !batches.isEmpty else { return 0 }
    let count = try whileUnheld {
      var count = 0
      var failure: (any Error)?
      for batch in batches {
        do {
          try sweep(batch, alive, &count)
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
    _ batch: String, _ alive: ([AssetName]) throws -> Set<AssetName>, _ count: inout Int
  ) throws {
    let markPath = FolderLayout.mark(of: batch)
    guard let mark = try files.lock(markPath, isShared: false) else { return }
    defer { mark.release() }
    let isEmpty = try sweepFiles(of: batch, alive, &count)
    if isEmpty { try removeEmpty(batch) }
    try files.remove(markPath)
  }

  /// - Returns: whether the batch is an empty directory now.
  private func sweepFiles(
    of batch: String, _ alive: ([AssetName]) throws -> Set<AssetName>, _ count: inout Int
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
      let living = try alive(some)
      paths += some.lazy.filter { !living.contains($0) }.map(\.text)
      start += some.count
    }
    for path in paths {
      guard try removeLeftover(path) else { continue }
      count += 1
    }
    // The removal reaches the disk before that of the mark.
    if !paths.isEmpty { try files.syncDirectory(batch) }
    return paths.count == entries.count
  }

  /// - Returns: false where another has removed it.
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
      guard error.code == .other || error.code == .exists else { throw error }
      // Somebody has put something into it.
    }
  }
}

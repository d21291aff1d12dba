extension AssetFolder {
  /// Removes files.
  ///
  /// - Returns: the files that do not exist afterwards, including those that did not exist before.
  ///   Empty while a process copies the folder, or while another process removes files.
  package func remove(_ names: [AssetName]) -> [AssetName] {
    guard !names.isEmpty else { return [] }
    do {
      return try withExclusiveLock {
        let removed = names.filter { removeIfPresent($0.text) }
        removeEmptyBatches(of: removed)
        return removed
      } ?? []
    } catch let error as FileError where error.code == .notFound {
      // The folder does not exist.
      return names
    } catch {
      return []
    }
  }

  /// Syncs the removal of files.
  package func syncRemoval(of names: [AssetName]) throws {
    var batches = Set<String>()
    for name in names where batches.insert(name.batch).inserted {
      do {
        try files.syncDirectory(name.batch)
      } catch {
        guard error.code == .notFound else { throw error }
        try syncRemovalOfBatches()
      }
    }
  }

  private func syncRemovalOfBatches() throws(FileError) {
    do {
      try files.syncDirectory("")
    } catch {
      // If the folder was removed, its removal need not be synced here.
      guard error.code == .notFound else { throw error }
    }
  }

  /// Removes the directories that are empty, except for batches that a process may be adding files
  /// to.
  private func removeEmptyBatches(of names: [AssetName]) {
    var batches = Set<String>()
    for name in names where batches.insert(name.batch).inserted && !isMarked(name.batch) {
      // A directory that contains a file cannot be removed, as intended.
      try? files.removeDirectory(name.batch)
    }
  }

  private func removeIfPresent(_ path: String) -> Bool {
    do {
      try files.remove(path)
      return true
    } catch {
      return error.code == .notFound
    }
  }
}

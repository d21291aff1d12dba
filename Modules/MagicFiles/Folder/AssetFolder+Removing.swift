extension AssetFolder {
  /// Removes files.
  ///
  /// - Returns: those that are gone now, among them those that were not there. None while somebody,
  ///   in this process or another, holds the folder or removes from it in another process.
  package func remove(_ names: [AssetName]) -> [AssetName] {
    guard !names.isEmpty else { return [] }
    do {
      return try whileUnheld {
        let gone = names.filter { isGone($0.text) }
        removeEmptyBatches(of: gone)
        return gone
      } ?? []
    } catch let error as FileError where error.code == .notFound {
      // The folder is not there.
      return names
    } catch {
      return []
    }
  }

  /// Brings the removal of these files to the disk.
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
      guard error.code == .notFound else { throw error }
      // Who removed the folder does not wait for us.
    }
  }

  /// Directories in which nothing is left go, but for those that somebody puts files into.
  private func removeEmptyBatches(of names: [AssetName]) {
    var batches = Set<String>()
    for name in names where batches.insert(name.batch).inserted && !isMarked(name.batch) {
      // Refused as long as a file lies in it, as intended.
      try? files.removeDirectory(name.batch)
    }
  }

  private func isGone(_ path: String) -> Bool {
    do {
      try files.remove(path)
      return true
    } catch {
      return error.code == .notFound
    }
  }
}

extension AssetFolder {
  /// Removes files.
  ///
  /// - Returns: those that are gone now, among them those that were not there. None while somebody,
  ///   in this process or another, holds the folder or removes from it in another process.
  package func remove(_ names: [AssetName]) -> [AssetName] {
    guard !names.isEmpty else { return [] }
    do {
      return try whileUnheld { names.filter { isGone($0.text) } } ?? []
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

  private func isGone(_ path: String) -> Bool {
    do {
      try files.remove(path)
      return true
    } catch {
      return error.code == .notFound
    }
  }
}

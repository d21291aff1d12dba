extension AssetFolder {
  /// Whether a batch has a mark. Then a process may be adding files to the batch, or has ended
  /// while it was adding files.
  package func isMarked(_ batch: String) -> Bool {
    exists(FolderLayout.mark(of: batch))
  }

  /// Whether a file exists in the folder, regardless of its size.
  ///
  /// - Returns: true also if this cannot be determined.
  package func exists(_ path: String) -> Bool {
    do {
      try files.open(path).close()
      return true
    } catch {
      return error.code != .notFound
    }
  }

  /// Returns the batch of a temporary file, which a process is writing or was writing when it
  /// ended; nil for any other file.
  package static func batch(ofTemporary path: String) -> String? {
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    guard steps.count == 2, FolderLayout.isTemporary(String(steps[1])) else { return nil }
    return String(steps[0])
  }
}

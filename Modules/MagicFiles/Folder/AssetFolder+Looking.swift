extension AssetFolder {
  /// Whether somebody may be putting files into a batch, or has ended while that was so.
  package func isMarked(_ batch: String) -> Bool {
    isThere(FolderLayout.mark(of: batch))
  }

  /// Whether a file lies in the folder, of whatever size.
  ///
  /// - Returns: true also where that cannot be told.
  package func isThere(_ path: String) -> Bool {
    do {
      try files.open(path).close()
      return true
    } catch {
      return error.code != .notFound
    }
  }

  /// The batch of a file that is being written, or was when its process ended; nil for any other.
  package static func batch(ofTemporary path: String) -> String? {
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    guard steps.count == 2, FolderLayout.isTemporary(String(steps[1])) else { return nil }
    return String(steps[0])
  }
}

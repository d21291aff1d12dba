/// The names in an asset folder other than the names of asset files.
enum FolderLayout {
  /// The lock file of the folder. A process that copies the folder takes a shared lock, a process
  /// that removes files an exclusive one.
  static let lockFile = "hold"

  /// The maximum number of files in a batch.
  static let batchLimit = 1_000

  /// The number of files below which a batch is reused.
  static let reuseLimit = 500

  /// Returns the name of the mark of a batch. The process that may add files to the batch locks the
  /// mark. A batch whose mark exists and is not locked may contain files that no row refers to.
  static func mark(of batch: String) -> String { batch + ".open" }

  /// Returns the batch that a mark belongs to; nil for any other name.
  static func batch(ofMark name: String) -> String? {
    guard name.hasSuffix(".open") else { return nil }
    let batch = String(name.dropLast(5))
    return batch.isSixteenHexDigits ? batch : nil
  }

  /// Returns the path of a file that is being written.
  static func temporary(_ digits: String, in batch: String) -> String { "\(batch)/\(digits)~" }

  /// Whether a name in a batch belongs to a file that is being written.
  static func isTemporary(_ name: String) -> Bool {
    name.hasSuffix("~") && String(name.dropLast()).isSixteenHexDigits
  }
}

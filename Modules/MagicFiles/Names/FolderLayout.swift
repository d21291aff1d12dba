/// The names in the folder that are not names of files.
enum FolderLayout {
  /// Locked by who copies the folder, or by who removes from it.
  static let hold = "hold"

  /// So many files at most lie in a batch when one more goes in.
  static let batchLimit = 1_000

  /// A batch with fewer files than this is used again.
  static let reuseLimit = 500

  /// Locked by who may put files into the batch. While it lies there unlocked, the batch may hold
  /// files that no row knows.
  static func mark(of batch: String) -> String { batch + ".open" }

  /// The batch that a mark belongs to; nil for every other name.
  static func batch(ofMark name: String) -> String? {
    guard name.hasSuffix(".open") else { return nil }
    let batch = String(name.dropLast(5))
    return batch.isSixteenHexDigits ? batch : nil
  }

  /// The path of a file that is being written.
  static func temporary(_ digits: String, in batch: String) -> String { "\(batch)/\(digits)~" }

  /// Whether a name in a batch is one of a file that is being written.
  static func isTemporary(_ name: String) -> Bool {
    name.hasSuffix("~") && String(name.dropLast()).isSixteenHexDigits
  }
}

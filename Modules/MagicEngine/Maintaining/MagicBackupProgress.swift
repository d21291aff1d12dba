/// The progress of a backup.
///
/// ```swift
/// try await magic.backup(to: copyPath) { print($0.fraction) }
/// ```
public struct MagicBackupProgress: Sendable, Hashable {
  /// The number of database pages that were copied.
  public package(set) var pagesDone = 0
  /// The number of pages of the database.
  public package(set) var pageCount = 0
  /// The number of asset files that were copied or skipped.
  public package(set) var filesDone = 0
  /// The number of asset files.
  public package(set) var fileCount = 0
  /// The number of bytes of pages and files that were copied.
  public package(set) var bytesDone = 0
  /// The number of bytes of all pages and files.
  public package(set) var byteCount = 0

  package init() {}

  /// The fraction of the bytes that was copied, from 0 to 1.
  public var fraction: Double {
    byteCount > 0 ? min(1, Double(bytesDone) / Double(byteCount)) : 0
  }
}

extension MagicBackupProgress: CustomStringConvertible {
  /// The percentage, the pages and the files.
  public var description: String {
    "\(Int(fraction * 100)) %: \(pagesDone) of \(pageCount) pages, "
      + "\(filesDone) of \(fileCount) files"
  }
}

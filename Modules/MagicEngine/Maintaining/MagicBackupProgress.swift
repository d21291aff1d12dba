/// How far a copy of a database has come.
public struct MagicBackupProgress: Sendable, Hashable {
  /// The pages of the database that were copied.
  public package(set) var pagesDone = 0
  /// The pages of the database.
  public package(set) var pageCount = 0
  /// The files of assets that were copied, those included that were left out.
  public package(set) var filesDone = 0
  /// The files of assets.
  public package(set) var fileCount = 0
  /// The bytes of pages and files that were copied.
  public package(set) var bytesDone = 0
  /// The bytes of all pages and files.
  public package(set) var byteCount = 0

  package init() {}

  /// The part of the bytes that was copied, from 0 to 1.
  public var fraction: Double {
    byteCount > 0 ? min(1, Double(bytesDone) / Double(byteCount)) : 0
  }
}

extension MagicBackupProgress: CustomStringConvertible {
  /// Pages, files and the part in percent.
  public var description: String {
    "\(Int(fraction * 100)) %: \(pagesDone) of \(pageCount) pages, "
      + "\(filesDone) of \(fileCount) files"
  }
}

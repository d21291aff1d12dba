import Foundation
import MagicSchema
import MagicStore
import SQLiteFiles

/// Copies the files of a database that has no open writer.
enum DatabaseCopy {
  /// The suffixes of the other files that may belong to a database file.
  private static let companions = ["-wal", "-journal", StoreFiles.suffix]

  /// Returns the URL of the database file that a URL refers to.
  ///
  /// - Throws: `MagicError` with `.cannotOpen` if there is no database. An empty file is refused
  ///   too, because every migration test would pass on it.
  static func original(_ url: URL) throws -> URL {
    guard url.isFileURL else {
      throw MagicError(.cannotOpen, "The database URL is not a file URL.")
    }
    let path = try DatabaseFile(path: url.path).path
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    guard let size, size.int64Value > 0 else {
      throw MagicError(.cannotOpen, "There is no database file at \(path).")
    }
    return URL(fileURLWithPath: path)
  }

  static func copy(_ original: URL, to file: URL) throws {
    do {
      try copyItem(original, to: file)
      for companion in companions {
        let source = URL(fileURLWithPath: original.path + companion)
        guard FileManager.default.fileExists(atPath: source.path) else { continue }
        try copyItem(source, to: URL(fileURLWithPath: file.path + companion))
      }
    } catch {
      throw MagicError(.cannotOpen, "The database cannot be copied.", cause: error)
    }
  }

  // Resources may be symbolic links and may be read-only. The copy must be a writable file.
  private static func copyItem(_ source: URL, to target: URL) throws {
    let files = FileManager.default
    let source = source.resolvingSymlinksInPath()
    var isDirectory: ObjCBool = false
    guard files.fileExists(atPath: source.path, isDirectory: &isDirectory), isDirectory.boolValue
    else {
      try files.copyItem(at: source, to: target)
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target.path)
      return
    }
    try files.createDirectory(
      at: target, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for name in try files.contentsOfDirectory(atPath: source.path) {
      try copyItem(source.appendingPathComponent(name), to: target.appendingPathComponent(name))
    }
  }
}

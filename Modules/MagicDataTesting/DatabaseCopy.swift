import Foundation
import MagicSchema
import MagicStore
import SQLiteFiles

/// Copies the files of a database that nobody writes.
enum DatabaseCopy {
  /// What may belong to a database beside its file.
  private static let companions = ["-wal", "-journal", StoreFiles.suffix]

  /// The file of a database, whatever path refers to it.
  ///
  /// - Throws: `MagicError` with `.cannotOpen` where there is none. One that is empty is none: of it
  ///   any test would pass.
  static func original(_ url: URL) throws -> URL {
    guard url.isFileURL else {
      throw MagicError(.cannotOpen, "The URL of a database is a file's.")
    }
    let path = try DatabaseFile(path: url.path).path
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    guard let size, size.int64Value > 0 else {
      throw MagicError(.cannotOpen, "There is no database to copy (\(path)).")
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

  // Resources may be links, and may not be writable; the copy is to be.
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

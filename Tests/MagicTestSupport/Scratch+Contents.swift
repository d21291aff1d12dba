package import Foundation

extension Scratch {
  /// The names of all files and directories, at every depth, sorted.
  package var names: [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// All files and directories, at every depth: the bytes by the name, nil for a directory.
  package var contents: [String: Data?] {
    Dictionary(
      uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: file($0))) })
  }

  /// ``contents`` without the indexes of write-ahead logs, and without logs that are empty.
  package var contentsWithoutEmptyLogs: [String: Data?] {
    contents.filter { name, bytes in
      !name.hasSuffix("-shm") && !(name.hasSuffix("-wal") && bytes?.isEmpty == true)
    }
  }

  /// The names of the files of assets in their folder, sorted, also of those that are being written.
  /// The folder's own files, such as markers, are omitted.
  package var assetFiles: [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: assets)) ?? []).filter { name in
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: assets + "/" + name, isDirectory: &isDirectory)
      return !isDirectory.boolValue && name.contains("/")
    }.sorted()
  }

  package func bytes(_ name: String = Scratch.name) throws -> Data {
    try Data(contentsOf: url(name))
  }

  package func write(_ bytes: Data, _ name: String = Scratch.name) throws {
    try bytes.write(to: url(name))
  }

  /// Changes the bytes of a file.
  ///
  /// - Returns: the bytes before.
  @discardableResult
  package func damage(
    _ name: String = Scratch.name, _ body: (inout Data) throws -> Void
  ) throws -> Data {
    let whole = try bytes(name)
    var damaged = whole
    try body(&damaged)
    try write(damaged, name)
    return whole
  }
}

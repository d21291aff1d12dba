extension AssetFolder {
  /// Calls the body for all files, with the parsed name if the name has the format of this library,
  /// and with the path in the folder.
  ///
  /// Directories, marks and links are skipped. A folder that does not exist contains no files.
  package func forEachFile(_ body: (AssetName?, String) throws -> Void) throws {
    for entry in try listed("") {
      switch entry.kind {
      case .directory where entry.name.isSixteenHexDigits:
        for file in try listed(entry.name) where file.kind == .file {
          let path = "\(entry.name)/\(file.name)"
          try body(AssetName(path), path)
        }
      case .file
      where entry.name != FolderLayout.lockFile
        && FolderLayout.batch(ofMark: entry.name) == nil:
        try body(nil, entry.name)
      default: break
      }
    }
  }

  /// Returns the entries of a directory; none if the directory does not exist.
  func listed(_ path: String) throws(FileError) -> [FileEntry] {
    do {
      return try files.list(path)
    } catch {
      guard error.code == .notFound else { throw error }
      return []
    }
  }
}

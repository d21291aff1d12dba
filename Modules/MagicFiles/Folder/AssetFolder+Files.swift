extension AssetFolder {
  /// Shows all files: the name where it is of our form, and the path in the folder.
  ///
  /// Directories, marks and links are no files. A folder that is not there has none.
  package func forEachFile(_ body: (AssetName?, String) throws -> Void) throws {
    for entry in try listed("") {
      switch entry.kind {
      case .directory where entry.name.isSixteenHexDigits:
        for file in try listed(entry.name) where file.kind == .file {
          let path = "\(entry.name)/\(file.name)"
          try body(AssetName(path), path)
        }
      case .file
      where entry.name != FolderLayout.hold
        && FolderLayout.batch(ofMark: entry.name) == nil:
        try body(nil, entry.name)
      default: break
      }
    }
  }

  /// What a directory holds; nothing where it is not there.
  func listed(_ path: String) throws(FileError) -> [FileEntry] {
    do {
      return try files.list(path)
    } catch {
      guard error.code == .notFound else { throw error }
      return []
    }
  }
}

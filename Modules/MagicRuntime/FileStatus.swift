package import CMagicRuntime

/// The attributes of a file in the file system.
package typealias FileStatus = magic_file_status

extension FileStatus {
  /// The attributes of the file at a path, following symbolic links; nil if there is no file.
  package init?(path: String) {
    self.init()
    // `withCString` avoids the copy that passing the string as an argument would make.
    guard path.withCString({ magic_find_file($0, &self) }) else { return nil }
  }

  /// The time of the last write, in seconds since 1970.
  package var modificationTime: Double { Double(modified) / 1e9 }
}

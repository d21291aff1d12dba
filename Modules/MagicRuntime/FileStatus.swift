package import CMagicRuntime

/// The attributes of a file in the file system.
package typealias FileStatus = magic_file_status

extension FileStatus {
  /// The attributes of the file at a path, following symbolic links; nil if there is no file.
  ///
  /// With `withTime` false, the time of the last write may be missing. This makes the syncs of a
  /// file that is examined before each write faster (see `magic_find_file`).
  package init?(path: String, withTime: Bool = true) {
    self.init()
    // `withCString` avoids the copy that passing the string as an argument would make.
    guard path.withCString({ magic_find_file($0, withTime, &self) }) else { return nil }
  }

  /// The time of the last write, in seconds since 1970.
  package var modificationTime: Double { Double(modified) / 1e9 }
}

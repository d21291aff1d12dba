package import CMagicRuntime

/// A file as the system sees it.
package typealias FileStatus = magic_file_status

extension FileStatus {
  /// The file at a path, links followed; nil where there is none.
  package init?(path: String) {
    self.init()
    // Without a copy of the path, which an argument of a C function would be.
    guard path.withCString({ magic_find_file($0, &self) }) else { return nil }
  }
}

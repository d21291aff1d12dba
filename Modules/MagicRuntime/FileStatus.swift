package import CMagicRuntime

/// A file as the system sees it.
package typealias FileStatus = magic_file_status

extension FileStatus {
  /// The file at a path, links followed; nil where there is none.
  package init?(path: String) {
    self.init()
    guard magic_find_file(path, &self) else { return nil }
  }
}

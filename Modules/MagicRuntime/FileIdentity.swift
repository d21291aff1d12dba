import CMagicRuntime

/// Names a file whatever path referred to it, as long as it exists.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  package init(_ status: FileStatus) { (device, number) = (status.device, status.number) }

  /// The file at a path, links followed; nil where there is none.
  package init?(path: String) {
    guard let status = FileStatus(path: path) else { return nil }
    self.init(status)
  }
}

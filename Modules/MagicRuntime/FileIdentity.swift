import CMagicRuntime

/// Identifies a file as long as it exists, regardless of the path under which it was opened.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  package init(_ status: FileStatus) { (device, number) = (status.device, status.number) }

  /// The identity of the file at a path, following symbolic links; nil if there is no file.
  package init?(path: String) {
    guard let status = FileStatus(path: path, withTime: false) else { return nil }
    self.init(status)
  }
}

import Foundation

extension DiskFileSystem {
  /// Opens a regular file at any path for reading. Symbolic links are followed. Errors contain only
  /// the last component of the path.
  package static func open(anywhere path: String) throws(FileError) -> any ReadableFile {
    let name = URL(fileURLWithPath: path).lastPathComponent
    guard !path.utf8.contains(0) else { throw FileError(.open, name, number: EINVAL) }
    guard let file = Descriptor.opened(path, in: nil, O_RDONLY | O_NONBLOCK),
      let status = file.status
    else { throw FileError(.open, name, number: errno) }
    guard status.isRegularFile else { throw FileError(.open, name, code: .notAFile) }
    return OpenDiskFile(file, name, size: Int(status.st_size))
  }
}

import Foundation

extension DiskFileSystem {
  /// Brings a file anywhere to the disk.
  package static func sync(
    anywhere path: String, _ durability: FileDurability
  ) throws(FileError) {
    guard let file = Descriptor.opened(path, in: nil, O_RDONLY), file.sync(durability) == 0 else {
      throw FileError(.sync, URL(fileURLWithPath: path).lastPathComponent, number: errno)
    }
  }

  /// Opens a regular file anywhere for reading; links are followed.
  ///
  /// - Returns: the file; errors tell its last name alone.
  package static func open(anywhere path: String) throws(FileError) -> any ReadableFile {
    let name = URL(fileURLWithPath: path).lastPathComponent
    guard !path.utf8.contains(0) else { throw FileError(.open, name, number: EINVAL) }
    guard let file = Descriptor.opened(path, in: nil, O_RDONLY | O_NONBLOCK),
      let status = file.status
    else { throw FileError(.open, name, number: errno) }
    guard status.isRegularFile else { throw FileError(.open, name, code: .notAFile) }
    return OpenDiskFile(file, name, size: Int(status.st_size))
  }

  /// Makes a directory anywhere, with those above it, where it is not there: for its owner alone.
  package static func makeDirectories(anywhere path: String) throws(FileError) {
    guard !isDirectory(path), mkdir(path, 0o700) != 0 else { return }
    var number = errno
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if number == ENOENT, parent != path {
      try makeDirectories(anywhere: parent)
      guard mkdir(path, 0o700) != 0 else { return }
      number = errno
    }
    // Another has made it meanwhile.
    guard number != EEXIST || !isDirectory(path) else { return }
    throw FileError(.makeDirectory, path, number: number)
  }

  private static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }
}

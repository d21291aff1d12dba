/// The file operations that an ``AssetFolder`` needs, and no others, so that faults can be injected.
///
/// Paths are relative to the folder: "batch/file", "batch", or "" for the folder itself.
package protocol FileSystem: Sendable {
  /// Makes a directory for its owner alone; false where one is there already.
  func makeDirectory(_ path: String) throws(FileError) -> Bool

  /// Makes a file for its owner alone, and never takes one that is there.
  func create(_ path: String) throws(FileError) -> any WritableFile

  /// Opens a regular file for reading; a symbolic link is not followed.
  func open(_ path: String) throws(FileError) -> any ReadableFile

  /// Brings the content of a file to the disk.
  func sync(_ path: String) throws(FileError)

  /// Brings the contents of many files to the disk.
  func sync(all paths: [String]) throws(FileError)

  /// Gives a file another name.
  func rename(_ path: String, to other: String) throws(FileError)

  /// Brings the names in a directory to the disk; ".." is the directory that the folder lies in.
  func syncDirectory(_ path: String) throws(FileError)

  /// Removes a regular file, and nothing of another kind.
  func remove(_ path: String) throws(FileError)

  /// Removes a directory that is empty.
  func removeDirectory(_ path: String) throws(FileError)

  /// What a directory holds, in no order.
  func list(_ path: String) throws(FileError) -> [FileEntry]

  /// Locks a file, which is made where there is none; nil where another has it. Never waits.
  ///
  /// The lock lies on an open file: two locks of one process exclude each other as well.
  func lock(_ path: String, isShared: Bool) throws(FileError) -> (any FileLock)?
}

extension FileSystem {
  package func sync(all paths: [String]) throws(FileError) {
    for path in paths { try sync(path) }
  }
}

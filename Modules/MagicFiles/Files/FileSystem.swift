/// The file operations that an ``AssetFolder`` needs, and no others. Tests implement the protocol
/// to inject faults.
///
/// Paths are relative to the folder: "batch/file", "batch", or "" for the folder itself.
package protocol FileSystem: Sendable {
  /// Creates a directory with access only for its owner; returns false if the directory exists.
  func makeDirectory(_ path: String) throws(FileError) -> Bool

  /// Creates a file with access only for its owner; throws if the file exists.
  func create(_ path: String) throws(FileError) -> any WritableFile

  /// Opens a regular file for reading. Symbolic links are not followed.
  func open(_ path: String) throws(FileError) -> any ReadableFile

  /// Syncs the content of a file to disk.
  func sync(_ path: String) throws(FileError)

  /// Syncs the contents of many files to disk.
  func sync(all paths: [String]) throws(FileError)

  /// Renames a file.
  func rename(_ path: String, to other: String) throws(FileError)

  /// Syncs the names in a directory to disk; ".." is the parent directory of the folder.
  func syncDirectory(_ path: String) throws(FileError)

  /// Removes a regular file; throws for any other type of file.
  func remove(_ path: String) throws(FileError)

  /// Removes an empty directory.
  func removeDirectory(_ path: String) throws(FileError)

  /// Returns the entries of a directory in no defined order.
  func list(_ path: String) throws(FileError) -> [FileEntry]

  /// Locks a file, which is created if it does not exist. The result is nil if another lock on the
  /// file excludes this one. The function never waits.
  ///
  /// The lock belongs to an open file description, so two locks of one process exclude each other
  /// too.
  func lock(_ path: String, isShared: Bool) throws(FileError) -> (any FileLock)?
}

extension FileSystem {
  package func sync(all paths: [String]) throws(FileError) {
    for path in paths { try sync(path) }
  }
}

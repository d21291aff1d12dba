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

/// A new file that is being written.
package protocol WritableFile: AnyObject {
  /// Appends all the bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError)

  /// Ends the writing; a second call does nothing.
  func close() throws(FileError)
}

/// A file that is open for reading; from several threads at once, as reading moves nothing.
package protocol ReadableFile: AnyObject, Sendable {
  /// The size in bytes, as it was when the file was opened.
  var size: Int { get }

  /// Fills the buffer as far as the file goes.
  ///
  /// - Returns: how many bytes were read; 0 at the end of the file.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int

  /// Gives the file up; a second call does nothing.
  func close()
}

/// A lock that ends when it is released or let go of, and with the process.
package protocol FileLock: AnyObject, Sendable {
  /// Whether taking the lock made the file.
  var isNew: Bool { get }

  /// Ends the lock; a second call does nothing.
  func release()
}

/// What a directory holds under one name.
package struct FileEntry: Sendable, Equatable {
  /// The kinds that are told apart.
  package enum Kind: Sendable {
    case file, directory
    /// A symbolic link, a socket, a device and the like.
    case other
  }

  package let name: String
  package let kind: Kind

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// How far what is synced must have come.
package enum FileDurability: Sendable {
  /// Nothing is synced.
  case none
  /// It is written before anything that is written later; on Linux the same as `full`.
  case ordered
  /// It is on the disk.
  case full
}

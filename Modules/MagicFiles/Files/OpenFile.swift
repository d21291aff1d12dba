/// A new file that is being written.
package protocol WritableFile: AnyObject {
  /// Appends all bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError)

  /// Closes the file. Further calls do nothing.
  func close() throws(FileError)
}

/// A file that is open for reading. Several threads can use it concurrently, because a read does
/// not change a file position.
package protocol ReadableFile: AnyObject, Sendable {
  /// The size in bytes when the file was opened.
  var size: Int { get }

  /// Fills the buffer with the bytes from an offset on, or with fewer bytes at the end of the file.
  ///
  /// - Returns: the number of bytes that were read; 0 at the end of the file.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int

  /// Closes the file. Further calls do nothing.
  func close()
}

/// A file lock. It ends when it is released or deinitialised, and when the process ends.
package protocol FileLock: AnyObject, Sendable {
  /// Whether the lock file was created when the lock was taken.
  var isNew: Bool { get }

  /// Releases the lock. Further calls do nothing.
  func release()
}

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

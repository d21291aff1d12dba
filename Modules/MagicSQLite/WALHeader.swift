import CMagicRuntime

/// The header of a write-ahead log's file.
///
/// See https://sqlite.org/walformat.html#the_wal_file_format
package enum WALHeader {
  private static let saltsOffset: Int64 = 16

  /// Returns the salts of the log at a path, in the format of ``WALIndex/salts``; nil if the file
  /// has no header.
  package static func salts(inLogAt path: String) -> UInt64? {
    let descriptor = magic_open_file(path, false)
    guard descriptor >= 0 else { return nil }
    defer { magic_close_file(descriptor) }
    return salts(descriptor)
  }

  /// The same for an open file.
  static func salts(_ descriptor: Int32) -> UInt64? {
    var salts: UInt64 = 0
    let size = MemoryLayout<UInt64>.size
    return magic_read_file(descriptor, &salts, size, saltsOffset) == size ? salts : nil
  }
}

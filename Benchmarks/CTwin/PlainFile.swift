import CTwinFiles
import Foundation

/// An open file or folder, closed when it is released.
final class PlainFile {
  let number: Int32

  /// - Returns: Nil if it cannot be opened.
  init?(_ path: String, _ flags: Int32, in folder: PlainFile? = nil) {
    number = openat(folder?.number ?? AT_FDCWD, path, flags | O_CLOEXEC, 0o600)
    if number < 0 { return nil }
  }

  deinit { _ = close(number) }

  func append(_ bytes: Data) -> Bool {
    bytes.withUnsafeBytes { write(number, $0.baseAddress, $0.count) } == bytes.count
  }

  func sync() -> Bool { fsync(number) == 0 }

  /// Syncs the file system of the file.
  func syncFileSystem() -> Bool { twin_sync_file_system(number) == 0 }

  /// - Returns: The number of bytes that were read; 0 at the end.
  func read(into buffer: inout [UInt8]) -> Int {
    buffer.withUnsafeMutableBytes { Foundation.read(number, $0.baseAddress, $0.count) }
  }
}

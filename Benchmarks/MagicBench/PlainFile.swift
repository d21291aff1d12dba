import Foundation

/// An open file or folder, closed when it is let go of.
final class PlainFile {
  let number: Int32

  /// - Returns: nil where it cannot be opened.
  init?(_ path: String, _ flags: Int32, in folder: PlainFile? = nil) {
    number = openat(folder?.number ?? AT_FDCWD, path, flags | O_CLOEXEC, 0o600)
    if number < 0 { return nil }
  }

  deinit { _ = close(number) }

  func append(_ bytes: Data) -> Bool {
    bytes.withUnsafeBytes { write(number, $0.baseAddress, $0.count) } == bytes.count
  }

  /// - Returns: how many bytes were read; 0 at the end.
  func read(into buffer: inout [UInt8]) -> Int {
    buffer.withUnsafeMutableBytes { Foundation.read(number, $0.baseAddress, $0.count) }
  }
}

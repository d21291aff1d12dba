import Foundation
import MagicRuntime

/// A new file on disk.
final class NewDiskFile: WritableFile {
  /// The maximum number of bytes for one system call. Some systems do not accept 2 GiB.
  static let callLimit = 1 << 30

  private var file: Descriptor?
  private let path: String
  private let origin = ProcessOrigin()

  init(_ file: Descriptor, _ path: String) {
    self.file = file
    self.path = path
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    guard !origin.isForked else { throw FileError(.write, path, code: .forked) }
    guard let file else { throw FileError(.write, path, number: EBADF) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let count = retryingOnInterrupt {
        Foundation.write(file.number, piece.baseAddress, min(piece.count, Self.callLimit))
      }
      guard count > 0 else { throw FileError(.write, path, number: count == 0 ? EIO : errno) }
      rest = rest.dropFirst(count)
    }
  }

  func close() throws(FileError) {
    file = nil
  }
}

/// A file on disk that is open for reading.
final class OpenDiskFile: ReadableFile, Sendable {
  let size: Int
  private let path: String
  private let file: Mutex<Descriptor?>
  private let origin = ProcessOrigin()

  init(_ file: Descriptor, _ path: String, size: Int) {
    self.file = Mutex(file)
    self.path = path
    self.size = size
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    guard !origin.isForked else { throw FileError(.read, path, code: .forked) }
    guard let file = file.withLock({ $0 }) else { throw FileError(.read, path, number: EBADF) }
    var done = 0
    while done < buffer.count {
      let wanted = min(buffer.count - done, NewDiskFile.callLimit)
      let count = retryingOnInterrupt {
        pread(
          file.number, buffer.baseAddress.map { $0 + done }, wanted, off_t(offset + done))
      }
      guard count >= 0 else { throw FileError(.read, path, number: errno) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  func close() { file.withLock { $0 = nil } }
}

import Foundation

/// Ends the wait of a thread for the input of a connection. Any thread may signal it.
package final class Wakeup: Sendable {
  private let pipe = Pipe()

  package init() {
    for file in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      let descriptor = file.fileDescriptor
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

  /// Ends the current wait, or the next one. If the pipe is full, a signal is already pending.
  package func signal() {
    var byte: UInt8 = 1
    _ = write(pipe.fileHandleForWriting.fileDescriptor, &byte, 1)
  }

  /// Discards the signals that were received.
  func clear() {
    var bytes = (UInt64(0), UInt64(0))
    while read(descriptor, &bytes, 16) == 16 {}
  }
}

import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Detects that the other end of standard input or output was closed, because the process that
/// started the command has ended. A terminal sends a signal instead.
enum Disconnection {
  /// - Parameter gone: A closure that is called once, on a separate thread.
  static func whenGone(_ gone: @escaping @Sendable () -> Void) {
    let (readsPipe, writesPipe) = (isPipe(STDIN_FILENO), isPipe(STDOUT_FILENO))
    guard readsPipe || writesPipe else { return }
    Thread {
      var streams = [
        pollfd(fd: readsPipe ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: writesPipe ? STDOUT_FILENO : -1, events: 0, revents: 0),
      ]
      repeat {
        guard poll(&streams, nfds_t(streams.count), -1) > 0 else { continue }
      } while isOpen(streams)
      gone()
    }.start()
  }

  private static func isOpen(_ streams: [pollfd]) -> Bool {
    guard streams[1].revents == 0 else { return false }
    guard streams[0].revents != 0 else { return true }
    // The input is ignored.
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    return count > 0 || count < 0 && (errno == EINTR || errno == EAGAIN)
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    return kind == S_IFIFO || kind == S_IFSOCK
  }
}

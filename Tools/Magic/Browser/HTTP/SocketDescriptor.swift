import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A socket, whose descriptor is closed exactly once. One thread reads, writes and closes it. Other
/// threads only call ``shutDown()``, which ends the calls of that thread and closes nothing: a
/// descriptor that is closed under a running call may be that of another file of the process next.
final class SocketDescriptor: @unchecked Sendable {
  let number: Int32
  private let lock = NSLock()
  private var isClosed = false

  /// Takes a descriptor, which no other code closes.
  init(_ number: Int32) {
    self.number = number
    // Programs that this process starts do not inherit it.
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close() }

  /// Ends all reads and writes, now and later.
  func shutDown() {
    lock.withLock {
      if !isClosed { shutdown(number, Int32(SHUT_RDWR)) }
    }
  }

  /// Ends the writing side: the client reads the end of the connection.
  func endWriting() { shutdown(number, Int32(SHUT_WR)) }

  /// Closes the descriptor. Only the thread that reads and writes calls this.
  func close() {
    lock.withLock {
      guard !isClosed else { return }
      isClosed = true
      #if canImport(Darwin)
        _ = Darwin.close(number)
      #elseif canImport(Musl)
        _ = Musl.close(number)
      #else
        _ = Glibc.close(number)
      #endif
    }
  }

  /// Sends each part at once. Otherwise the system keeps the body of a response until the client has
  /// acknowledged the head, which clients do 40 ms later.
  func sendAtOnce() {
    var isOn: Int32 = 1
    setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  // MARK: Waiting

  /// What a wait is for.
  enum Readiness { case reading, writing }

  /// Waits until the socket is ready.
  ///
  /// - Returns: false if it is not ready at the deadline.
  func wait(for readiness: Readiness, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      var event = pollfd(
        fd: number, events: Int16(readiness == .reading ? POLLIN : POLLOUT), revents: 0)
      let result = poll(&event, 1, Self.milliseconds(until: deadline))
      if result > 0 { return true }
      guard result < 0, errno == EINTR || errno == EAGAIN else { return false }
    }
  }

  static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
    let (seconds, attoseconds) = (deadline - ContinuousClock.now).components
    // Rounded up, so that a wait does not end before its deadline.
    return Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
  }

  // MARK: Bytes

  /// The flags of a call that does not wait, and does not end the process if the connection has ended.
  private static var flags: Int32 {
    #if canImport(Darwin)
      MSG_DONTWAIT
    #else
      Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif
  }

  /// Receives bytes.
  ///
  /// - Returns: the bytes; none at the end; nil if nothing arrives before the deadline.
  func receive(atMost count: Int, until deadline: ContinuousClock.Instant) -> [UInt8]? {
    while wait(for: .reading, until: deadline) {
      var isInterrupted = false
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
        let result = recv(number, buffer.baseAddress, buffer.count, Self.flags)
        isInterrupted = result < 0 && (errno == EINTR || errno == EAGAIN)
        length = max(0, result)
      }
      if !isInterrupted { return bytes }
    }
    return nil
  }

  /// Sends all bytes of one or two texts, in one packet if they fit.
  ///
  /// - Parameter patience: how long the other side may accept nothing.
  /// - Returns: whether all bytes were sent.
  func send(_ first: Data, _ second: Data = Data(), patience: Duration) -> Bool {
    first.withUnsafeBytes { first in
      second.withUnsafeBytes { second in
        var sent = 0
        while sent < first.count + second.count {
          guard wait(for: .writing, until: .now.advanced(by: patience)) else { return false }
          let result = sendBytes(
            UnsafeRawBufferPointer(rebasing: first.dropFirst(sent)),
            UnsafeRawBufferPointer(rebasing: second.dropFirst(max(0, sent - first.count))))
          if result > 0 {
            sent += result
          } else if result == 0 || (errno != EINTR && errno != EAGAIN) {
            return false
          }
        }
        return true
      }
    }
  }

  private func sendBytes(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    var parts = [first, second].map {
      iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
    }
    return parts.withUnsafeMutableBufferPointer { parts in
      var message = msghdr()
      message.msg_iov = parts.baseAddress
      message.msg_iovlen = numericCast(parts.count)
      return sendmsg(number, &message, Self.flags)
    }
  }
}

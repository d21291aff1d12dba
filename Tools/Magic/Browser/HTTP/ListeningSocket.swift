import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A socket that listens on a port of the loopback address.
final class ListeningSocket: Sendable {
  /// The port.
  let port: UInt16
  private let socket: SocketDescriptor
  /// Both ends of a pair of sockets: a byte in it ends ``accept()``. A shutdown of a listening socket
  /// does not end a wait on all systems.
  private let (alarm, alarmSource): (SocketDescriptor, SocketDescriptor)

  /// The connections that wait to be accepted.
  private static let backlog: Int32 = 64

  /// - Parameter port: the port; 0 for one that is free.
  /// - Throws: ``SocketFailure``, for example if the port is in use.
  init(port: UInt16) throws(SocketFailure) {
    socket = SocketDescriptor(try Self.checked(Self.stream(AF_INET)))
    var isOn: Int32 = 1
    setsockopt(
      socket.number, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let number = socket.number
    _ = try Self.checked(Self.withSocketAddress(&address) { bind(number, $0, $1.pointee) })
    _ = try Self.checked(listen(number, Self.backlog))
    _ = try Self.checked(Self.withSocketAddress(&address) { getsockname(number, $0, $1) })
    self.port = UInt16(bigEndian: address.sin_port)
    var pair: [Int32] = [0, 0]
    #if canImport(Glibc)
      _ = try Self.checked(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair))
    #else
      _ = try Self.checked(socketpair(AF_UNIX, SOCK_STREAM, 0, &pair))
    #endif
    (alarm, alarmSource) = (SocketDescriptor(pair[0]), SocketDescriptor(pair[1]))
  }

  /// Waits for a connection.
  ///
  /// - Returns: nil after ``end()``.
  func accept() throws(SocketFailure) -> SocketDescriptor? {
    while true {
      var events = [
        pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: alarm.number, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&events, 2, -1) > 0 else {
        if errno == EINTR || errno == EAGAIN { continue }
        throw SocketFailure(code: errno)
      }
      if events[1].revents != 0 { return nil }
      let number = Self.accepted(socket.number)
      if number >= 0 {
        let socket = SocketDescriptor(number)
        socket.sendAtOnce()
        return socket
      }
      switch errno {
      case EINTR, EAGAIN, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOMEM, ENOBUFS:
        // The process has no descriptor left now. The connection waits.
        Thread.sleep(forTimeInterval: 0.05)
      default: throw SocketFailure(code: errno)
      }
    }
  }

  /// Closes the descriptor. Only the thread that accepts connections calls this.
  func close() { socket.close() }

  /// Ends ``accept()``, now and later.
  func end() { alarmSource.endWriting() }

  private static func accepted(_ number: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.accept(number, nil, nil)
    #elseif canImport(Musl)
      Musl.accept(number, nil, nil)
    #else
      Glibc.accept(number, nil, nil)
    #endif
  }

  private static func stream(_ domain: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.socket(domain, SOCK_STREAM, 0)
    #elseif canImport(Musl)
      Musl.socket(domain, SOCK_STREAM, 0)
    #else
      Glibc.socket(domain, Int32(SOCK_STREAM.rawValue), 0)
    #endif
  }

  private static func checked(_ result: Int32) throws(SocketFailure) -> Int32 {
    guard result >= 0 else { throw SocketFailure(code: errno) }
    return result
  }

  private static func withSocketAddress(
    _ address: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> Int32 {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }
}

/// A call of the system that has failed.
struct SocketFailure: Error, CustomStringConvertible {
  let code: Int32

  var description: String { String(cString: strerror(code)) }
}

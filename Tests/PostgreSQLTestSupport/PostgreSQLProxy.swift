import Foundation

/// A proxy between the clients and a server, which records and loses messages.
package final class PostgreSQLProxy: @unchecked Sendable {
  /// What the proxy does with the next message that contains a text.
  package enum Fault: Sendable {
    /// The server receives it, but its answer is lost.
    case loseAnswer
    /// The server does not receive it.
    case loseMessage
    /// The server receives it after the client's connection has ended.
    case delay
  }

  /// The directory of the socket.
  package let directory: String
  private let target: String
  private let listener: Int32
  private let lock = NSLock()
  private var fault: (text: String, fault: Fault)?
  private var connections: Set<Int32> = []
  private var isRefusing = false
  /// The clients that receive nothing any more.
  private var muted: Set<Int32> = []
  /// What the clients have sent between two answers, as text.
  private var turns: [String] = []
  private var hasAnswered = true

  package init(_ server: PostgreSQLServer) throws {
    directory = FileManager.default.temporaryDirectory.path + "/px-\(UUID().uuidString.prefix(8))"
    target = server.directory + "/.s.PGSQL.5432"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    listener = Self.socket()
    let path = directory + "/.s.PGSQL.5432"
    guard Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
      throw PostgreSQLServerError("The proxy cannot listen.")
    }
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard !lock.withLock({ isRefusing }) else {
          close(client)
          continue
        }
        let server = Self.socket()
        guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
          close(client)
          close(server)
          continue
        }
        lock.withLock { connections.formUnion([client, server]) }
        Thread.detachNewThread { [self] in
          forward(client, server, isRequest: true)
        }
        Thread.detachNewThread { [self] in
          forward(server, client, isRequest: false)
        }
      }
    }
  }

  /// Applies a fault to the next message of a client that contains a text, and then ends the
  /// connection.
  package func arm(_ fault: Fault, at text: String) {
    lock.withLock { self.fault = (text, fault) }
  }

  /// Returns what the clients have sent since the last call: a text for all messages between two answers.
  package func takeTurns() -> [String] {
    lock.withLock {
      defer { turns = [] }
      return turns
    }
  }

  private func record(_ bytes: ArraySlice<UInt8>, isRequest: Bool) {
    lock.withLock {
      defer { hasAnswered = !isRequest }
      guard isRequest else { return }
      if hasAnswered || turns.isEmpty { turns.append("") }
      turns[turns.count - 1] += String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Sets whether new connections are refused.
  package func refuseConnections(_ isRefusing: Bool) {
    lock.withLock { self.isRefusing = isRefusing }
  }

  /// Ends all connections, as a cut of the network does.
  package func cut() {
    let all = lock.withLock {
      defer { connections = [] }
      return connections
    }
    for connection in all { shutdown(connection, Int32(SHUT_RDWR)) }
  }

  /// Stops the proxy.
  package func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    cut()
    try? FileManager.default.removeItem(atPath: directory)
  }

  private func take(_ bytes: [UInt8]) -> Fault? {
    lock.withLock {
      guard let (text, fault) = fault,
        String(decoding: bytes, as: UTF8.self).contains(text)
      else { return nil }
      self.fault = nil
      return fault
    }
  }

  private func forward(_ from: Int32, _ to: Int32, isRequest: Bool) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(from, &buffer, buffer.count)
      guard count > 0 else { break }
      record(buffer[..<count], isRequest: isRequest)
      if isRequest, let fault = take(Array(buffer[..<count])) {
        switch fault {
        case .loseAnswer:
          // The client loses its connection after the server has executed the message.
          lock.withLock { _ = muted.insert(from) }
          _ = send(to, buffer, count, Self.noSignal)
          Thread.sleep(forTimeInterval: 0.5)
        case .loseMessage: break
        case .delay:
          shutdown(from, Int32(SHUT_RDWR))
          Thread.sleep(forTimeInterval: 0.5)
          _ = send(to, buffer, count, Self.noSignal)
          Thread.sleep(forTimeInterval: 0.2)
        }
        break
      }
      if !isRequest, lock.withLock({ muted.contains(to) }) { continue }
      var sent = 0
      while sent < count {
        let written = buffer.withUnsafeBytes {
          send(to, $0.baseAddress! + sent, count - sent, Self.noSignal)
        }
        guard written > 0 else { break }
        sent += written
      }
      if sent < count { break }
    }
    // Both directions end. The descriptors stay open, because the other thread uses them.
    shutdown(from, Int32(SHUT_RDWR))
    shutdown(to, Int32(SHUT_RDWR))
  }

  /// A write to an ended connection is an error, and not a signal.
  private static var noSignal: Int32 {
    #if canImport(Darwin)
      0
    #else
      Int32(MSG_NOSIGNAL)
    #endif
  }

  private static func socket() -> Int32 {
    #if canImport(Darwin)
      Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #endif
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
    }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

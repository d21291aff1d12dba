import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A response of the server, read byte by byte: URLSession does not send other hosts and origins.
struct Exchange {
  let status: Int
  let headers: [String: [String]]
  let body: Data

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The first value of a header.
  subscript(name: String) -> String? { headers[name.lowercased()]?.first }

  init(_ data: Data) throws {
    let separator = Data("\r\n\r\n".utf8)
    guard let end = data.firstRange(of: separator) else { throw ExchangeError.noResponse }
    let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(
      separatedBy: "\r\n")
    let parts = lines.first?.split(separator: " ") ?? []
    guard parts.count > 1, let status = Int(parts[1]) else { throw ExchangeError.noResponse }
    self.status = status
    var headers: [String: [String]] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingPrefix(while: \.isWhitespace)
      headers[line[..<colon].lowercased(), default: []].append(String(value))
    }
    self.headers = headers
    body = Data(data[end.upperBound...])
  }
}

enum ExchangeError: Error { case noConnection, noResponse, timeout }

/// A connection to the server. Its calls block the thread.
final class Connection {
  private let descriptor: Int32
  private(set) var received = Data()

  init(port: UInt16, host: String = "127.0.0.1") throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // The instance is complete: deinit runs when this throws, and closes the descriptor. A second call
    // of close() could close a descriptor that another thread has opened in between.
    guard result == 0 else { throw ExchangeError.noConnection }
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Reads until the end of the connection.
  func readAll() -> Data {
    while readPart() {}
    return received
  }

  /// Reads one response, of the length that its headers say. The connection stays open.
  func readMessage() throws -> Exchange {
    try read(until: "\r\n\r\n")
    let length = try Exchange(received)["Content-Length"].flatMap(Int.init) ?? 0
    while try Exchange(received).body.count < length {
      guard readPart() else { throw ExchangeError.noResponse }
    }
    return try Exchange(received)
  }

  /// Reads until a text arrives.
  func read(until text: String) throws {
    while received.firstRange(of: Data(text.utf8)) == nil {
      guard readPart() else { throw ExchangeError.timeout }
    }
  }

  /// Whether the server has sent something, or has ended the connection.
  var hasEnded: Bool {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, 0) > 0
  }

  /// Forgets what was read.
  func clear() { received = Data() }

  private func readPart() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return false }
    received.append(contentsOf: buffer.prefix(count))
    return true
  }
}

import Foundation

/// Reads requests from a connection, with limits of bytes and time. It blocks the thread.
struct HTTPRequestReader {
  let socket: SocketDescriptor
  let limits: HTTPLimits
  /// What was received after the last request.
  private var buffer: [UInt8] = []
  private var isFirst = true

  init(_ socket: SocketDescriptor, _ limits: HTTPLimits) {
    self.socket = socket
    self.limits = limits
  }

  /// Reads the head of the next request.
  ///
  /// - Returns: nil if the connection has ended, or no request begins in time.
  /// - Throws: ``HTTPFault`` for a head that is invalid, too long or not complete in time.
  mutating func head() throws(HTTPFault) -> HTTPRequest? {
    // A connection that was never used ends soon, so that few of them wait.
    var deadline = ContinuousClock.now.advanced(by: isFirst ? limits.headTime : limits.idleTime)
    var searched = 0
    var hasBegun = !buffer.isEmpty
    if hasBegun { deadline = .now.advanced(by: limits.headTime) }
    while true {
      if let end = end(from: searched) {
        let head = buffer[..<end]
        let request = try HTTPRequest(head: head)
        buffer.removeFirst(end + 4)
        isFirst = false
        return request
      }
      guard buffer.count < limits.headBytes else {
        throw HTTPFault(431, "The head of the request is longer than \(limits.headBytes) bytes.")
      }
      // The end may begin in what was received.
      searched = max(0, buffer.count - 3)
      guard let bytes = socket.receive(atMost: 4 << 10, until: deadline) else {
        guard hasBegun else { return nil }
        throw HTTPFault(408, "The head of the request was not complete in time.")
      }
      guard !bytes.isEmpty else { return nil }
      buffer += bytes
      if !hasBegun {
        hasBegun = true
        deadline = .now.advanced(by: limits.headTime)
      }
    }
  }

  /// Reads the body of a request.
  mutating func body(of request: HTTPRequest) throws(HTTPFault) -> Data? {
    guard request.contentLength > 0 else { return Data() }
    guard request.contentLength <= limits.bodyBytes else {
      throw HTTPFault(413, "The body of the request is longer than \(limits.bodyBytes) bytes.")
    }
    let deadline = ContinuousClock.now.advanced(by: limits.bodyTime)
    if buffer.count < request.contentLength, request["Expect"]?.lowercased() == "100-continue" {
      guard
        socket.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), patience: limits.writeTime)
      else { return nil }
    }
    while buffer.count < request.contentLength {
      let rest = request.contentLength - buffer.count
      guard let bytes = socket.receive(atMost: min(rest, 64 << 10), until: deadline) else {
        throw HTTPFault(408, "The body of the request was not complete in time.")
      }
      guard !bytes.isEmpty else { return nil }
      buffer += bytes
    }
    let body = Data(buffer.prefix(request.contentLength))
    buffer.removeFirst(request.contentLength)
    return body
  }

  /// The place of the empty line that ends a head.
  private func end(from start: Int) -> Int? {
    guard buffer.count >= 4 else { return nil }
    return (start...(buffer.count - 4)).first { index in
      buffer[index] == 0x0D && buffer[index + 1] == 0x0A && buffer[index + 2] == 0x0D
        && buffer[index + 3] == 0x0A
    }
  }
}

/// The limits of a server.
struct HTTPLimits: Sendable {
  /// The longest head of a request. Browsers send less than 2 KiB beside the address.
  var headBytes = 32 << 10
  /// The longest body: that of a form.
  var bodyBytes = 8 << 20
  /// The time from the first byte of a head to its end.
  var headTime = Duration.seconds(10)
  /// The time that a connection may wait for its next request.
  var idleTime = Duration.seconds(60)
  /// The time for a body.
  var bodyTime = Duration.seconds(30)
  /// The time that a client may accept nothing.
  var writeTime = Duration.seconds(30)
  /// The number of connections. Further ones receive status 503.
  var connections = 128
}

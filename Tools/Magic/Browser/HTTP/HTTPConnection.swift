import Foundation

/// Answers requests.
protocol HTTPResponder: Sendable {
  /// Checks a request before its body is read.
  ///
  /// - Returns: the response that refuses it, after which the connection ends; nil to admit it.
  func refusal(of request: HTTPRequest) -> HTTPResponse?

  /// Answers an admitted request with its body.
  func response(to request: HTTPRequest) async -> HTTPResponse

  /// Answers a request that is not one of HTTP, or exceeds a limit.
  func response(to fault: HTTPFault) -> HTTPResponse
}

/// A connection of a client, which a thread of its own serves.
struct HTTPConnection {
  let socket: SocketDescriptor
  let limits: HTTPLimits
  let responder: any HTTPResponder
  /// Whether the server is stopping.
  let isOver: @Sendable () -> Bool

  /// Serves requests until the connection ends.
  func run() {
    var reader = HTTPRequestReader(socket, limits)
    while !isOver() {
      do {
        guard var request = try reader.head() else { return }
        if let refusal = responder.refusal(of: request) {
          _ = send(refusal, to: request)
          return linger()
        }
        guard let body = try reader.body(of: request) else { return }
        request.body = body
        let response = Self.waiting { [responder, request] in
          await responder.response(to: request)
        }
        guard send(response, to: request) else { return }
        if !request.keepsAlive || response.endsConnection { return linger() }
      } catch {
        _ = send(responder.response(to: error), to: nil)
        return linger()
      }
    }
  }

  private func send(_ response: HTTPResponse, to request: HTTPRequest?) -> Bool {
    let keepsAlive =
      request?.keepsAlive == true && !response.endsConnection && response.contentLength != nil
    let head = response.head(keepsAlive: keepsAlive)
    if request?.method != "HEAD", case .data(let data) = response.body {
      return socket.send(head, data, patience: limits.writeTime)
    }
    guard socket.send(head, patience: limits.writeTime) else { return false }
    guard request?.method != "HEAD" else { return true }
    switch response.body {
    case .data: return true
    case .file(let url, let range): return send(url, range)
    case .events(let events):
      send(events)
      return false
    }
  }

  private func send(_ url: URL, _ range: Range<Int>) -> Bool {
    guard let file = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? file.close() }
    guard (try? file.seek(toOffset: UInt64(range.lowerBound))) != nil else { return false }
    var rest = range.count
    while rest > 0 {
      // The file became shorter: the connection ends, so that the client notices.
      guard let data = try? file.read(upToCount: min(rest, 256 << 10)), !data.isEmpty,
        socket.send(data, patience: limits.writeTime)
      else { return false }
      rest -= data.count
    }
    return true
  }

  private func send(_ events: CommitEvents) {
    var state = CommitEvents.State()
    while !isOver() {
      let (text, next) = Self.waiting { [state] in await events.next(after: state) }
      state = next
      if let text {
        guard socket.send(Data(text.utf8), patience: limits.writeTime) else { return }
      }
      // A client sends nothing here, so what can be read is the end of the connection.
      if let bytes = socket.receive(atMost: 1_024, until: .now.advanced(by: CommitEvents.interval)),
        bytes.isEmpty
      {
        return
      }
    }
  }

  /// Reads what the client still sends, for a short time: closing a socket with unread bytes could
  /// discard the response before the client has it.
  private func linger() {
    socket.endWriting()
    let deadline = ContinuousClock.now.advanced(by: .seconds(1))
    var count = 0
    while count < 4 << 20, !isOver(),
      let bytes = socket.receive(atMost: 64 << 10, until: deadline), !bytes.isEmpty
    {
      count += bytes.count
    }
  }

  /// Runs an asynchronous body, and blocks the thread of the connection until it ends.
  private static func waiting<Result: Sendable>(
    _ body: @escaping @Sendable () async -> Result
  ) -> Result {
    let box = ResultBox<Result>()
    let semaphore = DispatchSemaphore(value: 0)
    Task {
      box.set(await body())
      semaphore.signal()
    }
    while true {
      semaphore.wait()
      if let result = box.get() { return result }
    }
  }
}

/// The result of a task, for a thread.
private final class ResultBox<Result: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var result: Result?

  func set(_ result: Result) { lock.withLock { self.result = result } }
  func get() -> Result? { lock.withLock { result } }
}

import Foundation

/// A server of HTTP/1.1 for web browsers on this computer. One thread accepts connections, and each
/// connection has a thread: few clients use it, and blocking calls have limits of time.
final class LoopbackServer: @unchecked Sendable {
  let port: UInt16
  private let listening: ListeningSocket
  private let limits: HTTPLimits

  private let lock = NSLock()
  private var isStopping = false
  private var connections: [ObjectIdentifier: SocketDescriptor] = [:]
  /// The threads that run, that of the listening socket included.
  private var threads = 0
  private var failure: SocketFailure?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Begins to listen. Connections are accepted after ``start(_:)``.
  ///
  /// - Parameter port: the port; 0 for one that is free.
  /// - Throws: ``SocketFailure``, for example if the port is in use.
  init(port: UInt16, limits: HTTPLimits = HTTPLimits()) throws(SocketFailure) {
    listening = try ListeningSocket(port: port)
    self.port = listening.port
    self.limits = limits
  }

  /// Accepts connections, until ``stop()``. Called once.
  func start(_ responder: any HTTPResponder) {
    lock.withLock { threads += 1 }
    Self.detachThread { self.accept(responder) }
  }

  /// Ends all connections, and accepts no more.
  func end() {
    let sockets = lock.withLock {
      isStopping = true
      return Array(connections.values)
    }
    listening.end()
    for socket in sockets { socket.shutDown() }
  }

  /// Ends all connections, and returns when no thread of the server runs.
  func stop() async {
    end()
    await ended()
  }

  /// Returns when the server has ended.
  ///
  /// - Throws: ``SocketFailure`` if it has not ended because of ``stop()``.
  func wait() async throws {
    await ended()
    if let failure = lock.withLock({ failure }) { throw failure }
  }

  private func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = lock.withLock {
        if threads > 0 { waiting.append(continuation) }
        return threads == 0
      }
      if isOver { continuation.resume() }
    }
  }

  // MARK: Threads

  private func accept(_ responder: any HTTPResponder) {
    do {
      while let socket = try listening.accept() { serve(socket, responder) }
    } catch {
      lock.withLock {
        failure = error
        isStopping = true
        for socket in connections.values { socket.shutDown() }
      }
    }
    // The port is free when stop() returns. No other thread uses this descriptor.
    listening.close()
    endThread()
  }

  private func serve(_ socket: SocketDescriptor, _ responder: any HTTPResponder) {
    let isAdmitted: Bool? = lock.withLock {
      if isStopping { return nil }
      guard connections.count < limits.connections else { return false }
      connections[ObjectIdentifier(socket)] = socket
      threads += 1
      return true
    }
    switch isAdmitted {
    case true?:
      Self.detachThread {
        HTTPConnection(
          socket: socket, limits: self.limits, responder: responder,
          isOver: { self.lock.withLock { self.isStopping } }
        ).run()
        self.lock.withLock { self.connections[ObjectIdentifier(socket)] = nil }
        socket.close()
        self.endThread()
      }
    case false?:
      let response = responder.response(to: HTTPFault(503, "Too many connections are open."))
      var data = response.head(keepsAlive: false)
      if case .data(let body) = response.body { data += body }
      // The buffer of a new socket has space for it.
      _ = socket.send(data, patience: .zero)
      socket.close()
    case nil: socket.close()
    }
  }

  private func endThread() {
    let over: [CheckedContinuation<Void, Never>] = lock.withLock {
      threads -= 1
      guard threads == 0 else { return [] }
      defer { waiting = [] }
      return waiting
    }
    for continuation in over { continuation.resume() }
  }

  private static func detachThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 512 << 10
    thread.name = "magic-browser"
    thread.start()
  }
}

import MagicRuntime

/// A bounded pool of connections that tasks share, in the order of their requests.
///
/// Connections are made when they are first needed. Waiting suspends a task; it never blocks a thread
/// of the cooperative pool. A pool of one connection is a lock that may be held across a suspension.
package final class ConnectionPool<Connection: AnyObject>: @unchecked Sendable {
  let lock = Lock()
  private let origin = ProcessOrigin()
  private let limit: Int
  private let make: @Sendable () throws -> Connection
  private let end: @Sendable (Connection) -> Void
  // Untyped, so that taking and giving need no type's metadata.
  @exclusivity(unchecked) private var idle: [AnyObject] = []
  @exclusivity(unchecked) private var made = 0
  @exclusivity(unchecked) private var phase = Phase.open
  /// All connections, in use or not, so that they can be interrupted.
  private var all: [AnyObject] = []
  @exclusivity(unchecked) private var queue = WaiterQueue<Grant>() {
    didSet { isAwaited = !queue.isEmpty }
  }
  /// Whether the queue has waiters. Read without the metadata of its type.
  @exclusivity(unchecked) private var isAwaited = false
  private var drained: [CheckedContinuation<Void, Never>] = []

  private enum Phase {
    case open
    /// No connection is handed out before ``ConnectionPool/resume()``.
    case suspended
    /// No connection is handed out any more.
    case closed
  }

  /// What a waiter gets.
  enum Grant: @unchecked Sendable {
    case connection(Connection)
    /// The right to make one.
    case slot
    case closed
    case suspended
    case cancelled
  }

  /// - Parameters:
  ///   - limit: the most connections there are at once, at least one.
  ///   - end: ends a connection when the pool is closed, before ``close()`` returns.
  ///   - make: makes a connection; called outside every lock.
  package init(
    limit: Int, end: @escaping @Sendable (Connection) -> Void = { _ in },
    make: @escaping @Sendable () throws -> Connection
  ) {
    self.limit = max(1, limit)
    self.make = make
    self.end = end
  }

  /// A pool of one that exists already.
  ///
  /// - Parameter make: makes the one that follows it, after it was suspended.
  package init(
    having connection: Connection, end: @escaping @Sendable (Connection) -> Void,
    make: @escaping @Sendable () throws -> Connection = { throw SQLiteError.closed() }
  ) {
    limit = 1
    self.end = end
    self.make = make
    made = 1
    idle = [connection]
    all = [connection]
  }

  /// Runs the body with a connection. Waits where all are in use.
  ///
  /// - Throws: ``SQLiteError`` when the pool is closed, `CancellationError` when the task is
  ///   cancelled while it waits, and what the body throws.
  package func withConnection<Result>(
    _ body: (Connection) throws -> Result
  ) async throws -> Result {
    let connection: Connection
    if let free = try tryTake() {
      connection = free
    } else {
      connection = try use(await waitForGrant())
    }
    defer { give(connection) }
    return try body(connection)
  }

  /// Like ``withConnection(_:)`` for threads: waits by blocking.
  @available(*, noasync)
  package func withConnectionBlocking<Result>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    let connection = try takeBlocking()
    defer { give(connection) }
    return try body(connection)
  }

  /// Takes a connection, which ``give(_:)`` brings back. Waits where all are in use.
  ///
  /// - Throws: as ``withConnection(_:)`` does; there is then nothing to give back.
  package func take(isolation: isolated (any Actor)? = #isolation) async throws -> Connection {
    if let free = try tryTake() { return free }
    return try use(await waitForGrant())
  }

  /// Like ``take(isolation:)`` for threads: waits by blocking.
  @available(*, noasync)
  package func takeBlocking() throws -> Connection { try tryTake() ?? use(waitForGrantBlocking()) }

  /// Takes a connection where one is free or may be made and no caller waits for it; else nil.
  package func tryTake() throws -> Connection? {
    guard !origin.isForked else { throw SQLiteError.forked() }
    lock.lock()
    guard phase == .open else {
      defer { lock.unlock() }
      throw phase == .closed ? SQLiteError.closed() : .suspended()
    }
    // Waiters are served first.
    guard !isAwaited else {
      lock.unlock()
      return nil
    }
    if let connection = idle.popLast() {
      lock.unlock()
      return unsafeDowncast(connection, to: Connection.self)
    }
    guard made < limit else {
      lock.unlock()
      return nil
    }
    made += 1
    lock.unlock()
    return try makeInSlot()
  }

  /// Returns a connection, from any thread. The longest waiter gets it.
  package func give(_ connection: Connection) {
    guard !origin.isForked else { return }
    lock.lock()
    guard !isAwaited else {
      lock.unlock()
      return giveToNext(connection)
    }
    idle.append(connection)
    let isClosing = phase == .closed
    lock.unlock()
    if isClosing { finishIfDrained() }
  }

  @inline(never)
  private func giveToNext(_ connection: Connection) {
    let (waiter, isClosing): (Waiter<Grant>?, Bool) = lock.withLock {
      let waiter = queue.popFirst()
      if waiter == nil { idle.append(connection) }
      return (waiter, phase == .closed)
    }
    waiter?.resume(.connection(connection))
    if waiter == nil, isClosing { finishIfDrained() }
  }

  /// Removes a waiter that was cancelled; false where it was not waiting.
  func leave(_ waiter: Waiter<Grant>) -> Bool {
    lock.withLock { queue.remove(waiter) }
  }

  /// Ends the pool: later calls get an error, those that wait have their turn, and the call returns
  /// when the last connection came back. The connections are then released.
  package func close() async {
    guard !origin.isForked else { return }
    await withCheckedContinuation { continuation in
      lock.withLock {
        phase = .closed
        drained.append(continuation)
      }
      finishIfDrained()
    }
  }

  /// Ends the pool at once: those that wait get an error, and connections in use are released when they
  /// come back.
  package func closeWithoutWaiting() {
    guard !origin.isForked else { return }
    let turnedAway = lock.withLock {
      phase = .closed
      return queue.popAll()
    }
    for waiter in turnedAway { waiter.resume(.closed) }
    finishIfDrained()
  }

  /// The connections that exist, in use or not.
  package var count: Int { lock.withLock { made } }

  /// The tasks and threads that wait.
  package var waitingCount: Int { lock.withLock { queue.count } }

  /// Grants at once, or enters the waiter, which is resumed later.
  func enter(_ waiter: Waiter<Grant>) {
    let atOnce: Grant? = lock.withLock {
      if phase == .closed { return .closed }
      if phase == .suspended { return .suspended }
      if Task.isCancelled { return .cancelled }
      if queue.isEmpty, let connection = idle.popLast() {
        return .connection(unsafeDowncast(connection, to: Connection.self))
      }
      if queue.isEmpty, made < limit {
        made += 1
        return .slot
      }
      queue.append(waiter)
      return nil
    }
    if let atOnce { waiter.resume(atOnce) }
  }

  private func use(_ grant: Grant) throws -> Connection {
    switch grant {
    case .connection(let connection): return connection
    case .slot: return try makeInSlot()
    case .closed: throw SQLiteError.closed()
    case .suspended: throw SQLiteError.suspended()
    case .cancelled: throw CancellationError()
    }
  }

  private func makeInSlot() throws -> Connection {
    do {
      let connection = try make()
      lock.withLock { all.append(connection) }
      return connection
    } catch {
      returnSlot()
      throw error
    }
  }

  private func returnSlot() {
    let waiter = lock.withLock {
      let waiter = queue.popFirst()
      if waiter == nil { made -= 1 }
      return waiter
    }
    waiter?.resume(.slot)
    finishIfDrained()
  }

  private func finishIfDrained() {
    end(lock.withLock { phase == .closed ? takeIdle() : [] })
    let continuations: [CheckedContinuation<Void, Never>] = lock.withLock {
      guard phase == .closed, made == 0 else { return [] }
      defer { drained.removeAll() }
      return drained
    }
    for continuation in continuations { continuation.resume() }
  }

  /// Called with the lock held. What is taken counts as made until it has ended.
  private func takeIdle() -> [AnyObject] {
    let taken = idle
    idle.removeAll()
    all.removeAll { connection in taken.contains { $0 === connection } }
    return taken
  }

  private func end(_ connections: [AnyObject]) {
    guard !connections.isEmpty else { return }
    for connection in connections { end(unsafeDowncast(connection, to: Connection.self)) }
    lock.withLock { made -= connections.count }
  }

  /// Hands out no connection before ``resume()``; those that wait get an error.
  package func suspend() {
    let turnedAway = lock.withLock {
      if phase == .open { phase = .suspended }
      return queue.popAll()
    }
    for waiter in turnedAway { waiter.resume(.suspended) }
  }

  /// Ends the connections that are not in use, where no other thread gets one.
  ///
  /// - Returns: whether there is none left.
  package func endIdle() -> Bool {
    end(lock.withLock { phase == .open ? [] : takeIdle() })
    finishIfDrained()
    return lock.withLock { made == 0 }
  }

  /// Shows the connections, in use or not; none of them is ended meanwhile.
  package func forEach(_ body: (Connection) -> Void) {
    lock.withLock {
      for connection in all { body(unsafeDowncast(connection, to: Connection.self)) }
    }
  }

  /// Hands out connections again, where the pool was not closed meanwhile.
  package func resume() {
    lock.withLock { if phase == .suspended { phase = .open } }
  }
}

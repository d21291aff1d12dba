import MagicRuntime

/// A bounded pool of connections that tasks share, in the order of their requests.
///
/// A connection is created when it is first needed. Waiting suspends a task and never blocks a
/// thread of the cooperative pool. A pool of one connection is a lock that a task may hold across a
/// suspension point.
package final class ConnectionPool<Connection: AnyObject>: @unchecked Sendable {
  let lock = Lock()
  /// Held while a caller uses the connections that were idle, so that another one waits for them.
  private let idleLock = Lock()
  private let origin = ProcessOrigin()
  private let limit: Int
  private let make: @Sendable () throws -> Connection
  private let end: @Sendable (Connection) -> Void
  // Untyped and taken without closures, so that taking and returning need no type metadata.
  @exclusivity(unchecked) private var idle: [AnyObject] = []
  @exclusivity(unchecked) private var createdCount = 0
  @exclusivity(unchecked) private var phase = Phase.open
  /// All connections, in use or not, so that they can be interrupted.
  private var all: [AnyObject] = []
  @exclusivity(unchecked) private var queue = WaiterQueue<Grant>() {
    didSet { isAwaited = !queue.isEmpty }
  }
  /// Whether the queue has waiters. Reading this needs no metadata of the queue's type.
  @exclusivity(unchecked) private var isAwaited = false
  private var drained: [CheckedContinuation<Void, Never>] = []

  private enum Phase {
    case open
    /// The pool returns no connection before ``ConnectionPool/resume()``.
    case suspended
    /// The pool returns no connection.
    case closed
  }

  /// The result of waiting.
  enum Grant: @unchecked Sendable {
    case connection(Connection)
    /// The right to create a connection.
    case slot
    case closed
    case suspended
    case cancelled
  }

  /// - Parameters:
  ///   - limit: the maximum number of connections, at least one.
  ///   - end: closes a connection when the pool is closed, before ``close()`` returns.
  ///   - make: creates a connection; called without a lock held.
  package init(
    limit: Int, end: @escaping @Sendable (Connection) -> Void = { _ in },
    make: @escaping @Sendable () throws -> Connection
  ) {
    self.limit = max(1, limit)
    self.make = make
    self.end = end
  }

  /// Creates a pool of one existing connection.
  ///
  /// - Parameter make: creates the connection that replaces it after a suspension.
  package init(
    having connection: Connection, end: @escaping @Sendable (Connection) -> Void,
    make: @escaping @Sendable () throws -> Connection = { throw SQLiteError.closed() }
  ) {
    limit = 1
    self.end = end
    self.make = make
    createdCount = 1
    idle = [connection]
    all = [connection]
  }

  /// Runs the body with a connection. Waits while all connections are in use.
  ///
  /// - Throws: ``SQLiteError`` if the pool is closed, `CancellationError` if the task is cancelled
  ///   while it waits, and what the body throws.
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

  /// The same as ``withConnection(_:)`` for threads: waits by blocking.
  @available(*, noasync)
  package func withConnectionBlocking<Result>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    let connection = try takeBlocking()
    defer { give(connection) }
    return try body(connection)
  }

  /// Takes a connection; the caller returns it with ``give(_:)``. Waits while all connections are
  /// in use.
  ///
  /// - Throws: the errors of ``withConnection(_:)``; the caller then has no connection to return.
  package func take(isolation: isolated (any Actor)? = #isolation) async throws -> Connection {
    if let free = try tryTake() { return free }
    return try use(await waitForGrant())
  }

  /// The same as ``take(isolation:)`` for threads: waits by blocking.
  @available(*, noasync)
  package func takeBlocking() throws -> Connection { try tryTake() ?? use(waitForGrantBlocking()) }

  /// Takes a connection if no caller waits for one, and one is free or can be created; else returns
  /// nil.
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
    guard createdCount < limit else {
      lock.unlock()
      return nil
    }
    createdCount += 1
    lock.unlock()
    return try makeInSlot()
  }

  /// Takes a connection that was created before and is free; nil if there is none, if a caller
  /// waits for one, or if the pool returns none.
  package func takeIdle() -> Connection? {
    guard !origin.isForked else { return nil }
    lock.lock()
    defer { lock.unlock() }
    guard phase == .open, !isAwaited, let connection = idle.popLast() else { return nil }
    return unsafeDowncast(connection, to: Connection.self)
  }

  /// Returns a connection to the pool, from any thread. The first waiter gets it.
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

  /// Returns a connection below the others, which were used later.
  private func giveFirst(_ connection: Connection) {
    let isAdded = lock.withLock {
      if !isAwaited, phase != .closed { idle.insert(connection, at: 0) } else { return false }
      return true
    }
    if !isAdded { give(connection) }
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

  /// Removes a cancelled waiter.
  ///
  /// - Returns: false if the waiter was not in the queue.
  func leave(_ waiter: Waiter<Grant>) -> Bool {
    lock.withLock { queue.remove(waiter) }
  }

  /// Closes the pool. Later calls throw. Callers that already wait still get a connection. The call
  /// returns when every connection was returned, and the connections are then released.
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

  /// Closes the pool without waiting. Waiting callers get an error, and a connection in use is
  /// released when it is returned.
  package func closeWithoutWaiting() {
    guard !origin.isForked else { return }
    let rejected = lock.withLock {
      phase = .closed
      return queue.popAll()
    }
    for waiter in rejected { waiter.resume(.closed) }
    finishIfDrained()
  }

  /// The number of existing connections, in use or not.
  package var count: Int { lock.withLock { createdCount } }

  /// The number of waiting tasks and threads.
  package var waitingCount: Int { lock.withLock { queue.count } }

  /// Resumes the waiter immediately, or adds it to the queue.
  func enter(_ waiter: Waiter<Grant>) {
    let immediate: Grant? = lock.withLock {
      if phase == .closed { return .closed }
      if phase == .suspended { return .suspended }
      if Task.isCancelled { return .cancelled }
      if queue.isEmpty, let connection = idle.popLast() {
        return .connection(unsafeDowncast(connection, to: Connection.self))
      }
      if queue.isEmpty, createdCount < limit {
        createdCount += 1
        return .slot
      }
      queue.append(waiter)
      return nil
    }
    if let immediate { waiter.resume(immediate) }
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
      if waiter == nil { createdCount -= 1 }
      return waiter
    }
    waiter?.resume(.slot)
    finishIfDrained()
  }

  private func finishIfDrained() {
    end(lock.withLock { phase == .closed ? takeIdle() : [] })
    let continuations: [CheckedContinuation<Void, Never>] = lock.withLock {
      guard phase == .closed, createdCount == 0 else { return [] }
      defer { drained.removeAll() }
      return drained
    }
    for continuation in continuations { continuation.resume() }
  }

  /// Called with the lock held. The connections that it returns still count as created until they
  /// are closed.
  private func takeIdle() -> [AnyObject] {
    let taken = idle
    idle.removeAll()
    all.removeAll { connection in taken.contains { $0 === connection } }
    return taken
  }

  private func end(_ connections: [AnyObject]) {
    guard !connections.isEmpty else { return }
    for connection in connections { end(unsafeDowncast(connection, to: Connection.self)) }
    lock.withLock { createdCount -= connections.count }
  }

  /// Suspends the pool: it returns no connection before ``resume()``, and waiting callers get an
  /// error.
  package func suspend() {
    let rejected = lock.withLock {
      if phase == .open { phase = .suspended }
      return queue.popAll()
    }
    for waiter in rejected { waiter.resume(.suspended) }
  }

  /// Closes the connections that are not in use, if the pool is suspended or closed.
  ///
  /// - Returns: whether no connection is left.
  package func endIdle() -> Bool {
    end(lock.withLock { phase == .open ? [] : takeIdle() })
    finishIfDrained()
    return lock.withLock { createdCount == 0 }
  }

  /// Calls the body with each connection, in use or not. No connection is closed during the call.
  package func forEach(_ body: (Connection) -> Void) {
    lock.withLock {
      for connection in all { body(unsafeDowncast(connection, to: Connection.self)) }
    }
  }

  /// Calls the body with connections that are not in use. They are in use during the call, and other
  /// connections can be taken. A second call waits for the first one.
  ///
  /// - Parameter isWanted: returns whether the body is called with a connection. Called with the lock held.
  package func forEachIdle(
    where isWanted: (Connection) -> Bool, _ body: (Connection) -> Void
  ) {
    guard !origin.isForked else { return }
    idleLock.withLock {
      let taken: [AnyObject] = lock.withLock {
        defer { idle.removeAll { isWanted(unsafeDowncast($0, to: Connection.self)) } }
        return idle.filter { isWanted(unsafeDowncast($0, to: Connection.self)) }
      }
      for connection in taken.reversed() {
        let connection = unsafeDowncast(connection, to: Connection.self)
        body(connection)
        giveFirst(connection)
      }
    }
  }

  /// Resumes the pool, unless it was closed after its suspension.
  package func resume() {
    lock.withLock { if phase == .suspended { phase = .open } }
  }
}

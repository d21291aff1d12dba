import MagicRuntime

/// A bounded set of readers that tasks share: taken, used, given back; first come, first served.
///
/// Readers are made when they are first needed. Waiting suspends a task, it never blocks a thread
/// of the cooperative pool. A pool of one is a lock that may be held across a suspension.
package final class ReaderPool<Reader: AnyObject>: @unchecked Sendable {
  let lock = Lock()
  private let origin = ProcessOrigin()
  private let limit: Int
  private let make: @Sendable () throws -> Reader
  private let end: @Sendable (Reader) -> Void
  // Untyped, so that taking and giving need no type's metadata.
  @exclusivity(unchecked) private var idle: [AnyObject] = []
  @exclusivity(unchecked) private var made = 0
  /// Whether readers are handed out: the pool is neither closed nor suspended.
  @exclusivity(unchecked) private var isOpen = true
  @exclusivity(unchecked) private var isClosed = false
  private var isSuspended = false
  /// All that there are, for who interrupts those in use.
  private var all: [AnyObject] = []
  @exclusivity(unchecked) private var queue = WaiterQueue<Grant>() {
    didSet { isAwaited = !queue.isEmpty }
  }
  /// Whether somebody waits: as the queue tells, without a look at its type.
  @exclusivity(unchecked) private var isAwaited = false
  private var drained: [CheckedContinuation<Void, Never>] = []

  /// What a waiter gets.
  enum Grant: @unchecked Sendable {
    case reader(Reader)
    /// The right to make one.
    case slot
    case closed
    case suspended
    case cancelled
  }

  /// - Parameters:
  ///   - limit: the most readers there are at once, at least one.
  ///   - end: ends a reader when the pool is closed, before ``close()`` returns.
  ///   - make: makes a reader; called outside every lock.
  package init(
    limit: Int, end: @escaping @Sendable (Reader) -> Void = { _ in },
    make: @escaping @Sendable () throws -> Reader
  ) {
    self.limit = max(1, limit)
    self.make = make
    self.end = end
  }

  /// A pool of one that exists already.
  ///
  /// - Parameter make: makes the one that follows it, after it was suspended.
  package init(
    having reader: Reader, end: @escaping @Sendable (Reader) -> Void,
    make: @escaping @Sendable () throws -> Reader = { throw SQLiteError.closed() }
  ) {
    limit = 1
    self.end = end
    self.make = make
    made = 1
    idle = [reader]
    all = [reader]
  }

  /// Runs the body with a reader. Waits where all are in use.
  ///
  /// - Throws: ``SQLiteError`` when the pool is closed, `CancellationError` when the task is
  ///   cancelled while it waits, and what the body throws.
  package func withReader<Result>(_ body: (Reader) throws -> Result) async throws -> Result {
    let reader: Reader
    if let free = try tryTake() {
      reader = free
    } else {
      reader = try use(await waitForGrant())
    }
    defer { give(reader) }
    return try body(reader)
  }

  /// Like ``withReader(_:)`` for threads: waits by blocking.
  @available(*, noasync)
  package func withReaderBlocking<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    let reader = try takeBlocking()
    defer { give(reader) }
    return try body(reader)
  }

  /// Takes a reader, which ``give(_:)`` brings back. Waits where all are in use.
  ///
  /// - Throws: as ``withReader(_:)`` does; there is then nothing to give back.
  package func take(isolation: isolated (any Actor)? = #isolation) async throws -> Reader {
    if let free = try tryTake() { return free }
    return try use(await waitForGrant())
  }

  /// Like ``take(isolation:)`` for threads: waits by blocking.
  @available(*, noasync)
  package func takeBlocking() throws -> Reader { try tryTake() ?? use(waitForGrantBlocking()) }

  /// Takes a reader where one is free or may be made, and nobody waits for it; else nil.
  package func tryTake() throws -> Reader? {
    guard !origin.isForked else { throw SQLiteError.forked() }
    lock.lock()
    guard isOpen else {
      defer { lock.unlock() }
      throw isClosed ? SQLiteError.closed() : .suspended()
    }
    // Nobody overtakes those who wait.
    guard !isAwaited else {
      lock.unlock()
      return nil
    }
    if let reader = idle.popLast() {
      lock.unlock()
      return unsafeDowncast(reader, to: Reader.self)
    }
    guard made < limit else {
      lock.unlock()
      return nil
    }
    made += 1
    lock.unlock()
    return try makeInSlot()
  }

  /// Gives a reader back that was taken, from any thread: who waits longest gets it.
  package func give(_ reader: Reader) {
    guard !origin.isForked else { return }
    lock.lock()
    guard !isAwaited else {
      lock.unlock()
      return giveToNext(reader)
    }
    idle.append(reader)
    let isClosing = isClosed
    lock.unlock()
    if isClosing { finishIfDrained() }
  }

  @inline(never)
  private func giveToNext(_ reader: Reader) {
    let (waiter, isClosing): (Waiter<Grant>?, Bool) = lock.withLock {
      let waiter = queue.popFirst()
      if waiter == nil { idle.append(reader) }
      return (waiter, isClosed)
    }
    waiter?.resume(.reader(reader))
    if waiter == nil, isClosing { finishIfDrained() }
  }

  /// Takes out one who gave up; false where it was not waiting.
  func leave(_ waiter: Waiter<Grant>) -> Bool {
    lock.withLock { queue.remove(waiter) }
  }

  /// Ends the pool: later calls get an error, those that wait have their turn, and the call returns
  /// when the last reader came back. The readers are then released.
  package func close() async {
    guard !origin.isForked else { return }
    await withCheckedContinuation { continuation in
      lock.withLock {
        (isClosed, isOpen) = (true, false)
        drained.append(continuation)
      }
      finishIfDrained()
    }
  }

  /// Ends the pool at once: those that wait get an error, and readers in use are released when they
  /// come back.
  package func closeWithoutWaiting() {
    guard !origin.isForked else { return }
    let turnedAway = lock.withLock {
      (isClosed, isOpen) = (true, false)
      return queue.popAll()
    }
    for waiter in turnedAway { waiter.resume(.closed) }
    finishIfDrained()
  }

  /// The readers that exist, in use or not.
  package var count: Int { lock.withLock { made } }

  /// The tasks and threads that wait.
  package var waitingCount: Int { lock.withLock { queue.count } }

  /// Grants at once, or enters the waiter, who is resumed later.
  func enter(_ waiter: Waiter<Grant>) {
    let atOnce: Grant? = lock.withLock {
      if isClosed { return .closed }
      if isSuspended { return .suspended }
      if Task.isCancelled { return .cancelled }
      if queue.isEmpty, let reader = idle.popLast() {
        return .reader(unsafeDowncast(reader, to: Reader.self))
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

  private func use(_ grant: Grant) throws -> Reader {
    switch grant {
    case .reader(let reader): return reader
    case .slot: return try makeInSlot()
    case .closed: throw SQLiteError.closed()
    case .suspended: throw SQLiteError.suspended()
    case .cancelled: throw CancellationError()
    }
  }

  private func makeInSlot() throws -> Reader {
    do {
      let reader = try make()
      lock.withLock { all.append(reader) }
      return reader
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
    end(lock.withLock { isClosed ? takeIdle() : [] })
    let continuations: [CheckedContinuation<Void, Never>] = lock.withLock {
      guard isClosed, made == 0 else { return [] }
      defer { drained.removeAll() }
      return drained
    }
    for continuation in continuations { continuation.resume() }
  }

  /// Called with the lock held. What is taken counts as made until it has ended.
  private func takeIdle() -> [AnyObject] {
    let taken = idle
    idle.removeAll()
    all.removeAll { reader in taken.contains { $0 === reader } }
    return taken
  }

  private func end(_ readers: [AnyObject]) {
    guard !readers.isEmpty else { return }
    for reader in readers { end(unsafeDowncast(reader, to: Reader.self)) }
    lock.withLock { made -= readers.count }
  }

  /// Hands out no reader before ``resume()``; those that wait get an error.
  package func suspend() {
    let turnedAway = lock.withLock {
      (isSuspended, isOpen) = (true, false)
      return queue.popAll()
    }
    for waiter in turnedAway { waiter.resume(.suspended) }
  }

  /// Ends the readers that are not in use, where no other thread gets one.
  ///
  /// - Returns: whether there is none left.
  package func endIdle() -> Bool {
    end(lock.withLock { isOpen ? [] : takeIdle() })
    finishIfDrained()
    return lock.withLock { made == 0 }
  }

  /// Shows the readers, in use or not; none of them is ended meanwhile.
  package func forEach(_ body: (Reader) -> Void) {
    lock.withLock { for reader in all { body(unsafeDowncast(reader, to: Reader.self)) } }
  }

  /// Hands out readers again, where the pool was not closed meanwhile.
  package func resume() {
    lock.withLock { (isSuspended, isOpen) = (false, !isClosed) }
  }
}

import Dispatch
import MagicRuntime

/// A bounded set of readers that tasks share: taken, used, given back; first come, first served.
///
/// Readers are made when they are first needed. Waiting suspends a task, it never blocks a thread
/// of the cooperative pool.
package final class ReaderPool<Reader: AnyObject>: @unchecked Sendable {
  private let lock = Lock()
  private let limit: Int
  private let make: @Sendable () throws -> Reader
  // Untyped, so that taking and giving need no type's metadata.
  @exclusivity(unchecked) private var idle: [AnyObject] = []
  @exclusivity(unchecked) private var made = 0
  @exclusivity(unchecked) private var isClosed = false
  private var nextTicket: UInt64 = 0
  @exclusivity(unchecked) private var waiters:
    [(ticket: UInt64, resume: @Sendable (Grant) -> Void)] = []
  private var drained: [CheckedContinuation<Void, Never>] = []

  /// What a waiter gets.
  enum Grant: @unchecked Sendable {
    case reader(Reader)
    /// The right to make one.
    case slot
    case closed
    case cancelled
  }

  /// - Parameters:
  ///   - limit: the most readers there are at once, at least one.
  ///   - make: makes a reader; called outside every lock.
  package init(limit: Int, make: @escaping @Sendable () throws -> Reader) {
    self.limit = max(1, limit)
    self.make = make
  }

  /// Runs the body with a reader. Waits where all are in use.
  ///
  /// - Throws: ``SQLiteError`` when the pool is closed, `CancellationError` when the task is
  ///   cancelled while it waits, and what the body throws.
  package func withReader<Result>(_ body: (Reader) throws -> Result) async throws -> Result {
    let reader: Reader
    if let free = try takeIdle() {
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
    let reader = try takeIdle() ?? use(waitForGrantBlocking())
    defer { give(reader) }
    return try body(reader)
  }

  /// Ends the pool: later calls get an error, those that wait have their turn, and the call returns
  /// when the last reader came back. The readers are then released.
  package func close() async {
    await withCheckedContinuation { continuation in
      lock.withLock {
        isClosed = true
        drained.append(continuation)
      }
      finishIfDrained()
    }
  }

  /// Ends the pool at once: those that wait get an error, and readers in use are released when they
  /// come back.
  package func closeWithoutWaiting() {
    let turnedAway = lock.withLock {
      isClosed = true
      defer { waiters.removeAll() }
      return waiters
    }
    for waiter in turnedAway { waiter.resume(.closed) }
    finishIfDrained()
  }

  /// The readers that exist, in use or not.
  package var count: Int { lock.withLock { made } }

  private func takeIdle() throws -> Reader? {
    lock.lock()
    guard !isClosed else {
      lock.unlock()
      throw SQLiteError.closed()
    }
    // Nobody overtakes those who wait.
    if waiters.isEmpty, let reader = idle.popLast() {
      lock.unlock()
      return unsafeDowncast(reader, to: Reader.self)
    }
    guard waiters.isEmpty, made < limit else {
      lock.unlock()
      return nil
    }
    made += 1
    lock.unlock()
    return try makeInSlot()
  }

  private func makeInSlot() throws -> Reader {
    do {
      return try make()
    } catch {
      returnSlot()
      throw error
    }
  }

  private func use(_ grant: Grant) throws -> Reader {
    switch grant {
    case .reader(let reader): return reader
    case .slot: return try makeInSlot()
    case .closed: throw SQLiteError.closed()
    case .cancelled: throw CancellationError()
    }
  }

  /// Grants at once, or enters a waiter who is resumed later.
  private func enter(_ ticket: UInt64, _ resume: @escaping @Sendable (Grant) -> Void) {
    let atOnce: Grant? = lock.withLock {
      if isClosed { return .closed }
      if Task.isCancelled { return .cancelled }
      if waiters.isEmpty, let reader = idle.popLast() {
        return .reader(unsafeDowncast(reader, to: Reader.self))
      }
      if waiters.isEmpty, made < limit {
        made += 1
        return .slot
      }
      waiters.append((ticket, resume))
      return nil
    }
    if let atOnce { resume(atOnce) }
  }

  private func takeTicket() -> UInt64 {
    lock.withLock {
      nextTicket += 1
      return nextTicket
    }
  }

  @available(*, noasync)
  private func waitForGrantBlocking() -> Grant {
    let granted = DispatchSemaphore(value: 0)
    let box = GrantBox()
    enter(takeTicket()) {
      box.grant = $0
      granted.signal()
    }
    granted.wait()
    return box.grant
  }

  /// Written before the semaphore is signalled, read after it was waited for.
  private final class GrantBox: @unchecked Sendable {
    var grant = Grant.closed
  }

  private func waitForGrant() async -> Grant {
    let ticket = takeTicket()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enter(ticket) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      let waiter = lock.withLock {
        waiters.firstIndex { $0.ticket == ticket }.map { waiters.remove(at: $0) }
      }
      waiter?.resume(.cancelled)
    }
  }

  private func give(_ reader: Reader) {
    lock.lock()
    if !waiters.isEmpty {
      let waiter = waiters.removeFirst()
      lock.unlock()
      waiter.resume(.reader(reader))
      return
    }
    idle.append(reader)
    let isClosing = isClosed
    lock.unlock()
    if isClosing { finishIfDrained() }
  }

  private func returnSlot() {
    let waiter = lock.withLock { () -> (ticket: UInt64, resume: @Sendable (Grant) -> Void)? in
      if !waiters.isEmpty { return waiters.removeFirst() }
      made -= 1
      return nil
    }
    waiter?.resume(.slot)
    finishIfDrained()
  }

  private func finishIfDrained() {
    let (continuations, readers): ([CheckedContinuation<Void, Never>], [AnyObject]) = lock.withLock
    {
      guard isClosed else { return ([], []) }
      let readers = idle
      made -= idle.count
      idle.removeAll()
      guard made == 0 else { return ([], readers) }
      defer { drained.removeAll() }
      return (drained, readers)
    }
    withExtendedLifetime(readers) {}
    for continuation in continuations { continuation.resume() }
  }
}

import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

/// Counts the existing readers, and those in use.
private final class Census: @unchecked Sendable {
  private let lock = NSLock()
  private var made = 0
  private var used = 0
  private var mostUsed = 0
  private var released = 0

  func make() -> Int {
    lock.withLock {
      made += 1; return made
    }
  }
  func enter() {
    lock.withLock {
      used += 1; mostUsed = max(mostUsed, used)
    }
  }
  func leave() { lock.withLock { used -= 1 } }
  func release() { lock.withLock { released += 1 } }

  var madeCount: Int { lock.withLock { made } }
  var peak: Int { lock.withLock { mostUsed } }
  var releasedCount: Int { lock.withLock { released } }
}

/// A reader that is not counted.
private final class Seven: Sendable {
  let number = 7
}

private final class Reader: Sendable {
  let number: Int
  private let census: Census

  init(_ census: Census) {
    self.census = census
    number = census.make()
  }

  deinit { census.release() }
}

private struct Refused: Error {}

/// Blocks threads until it is opened.
private final class Gate: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func wait() { semaphore.wait() }
  func open() { semaphore.signal() }
}

@Suite struct ConnectionPoolTests {
  /// Takes a reader on its own thread, and keeps it until the gate opens.
  private func occupy(_ pool: ConnectionPool<Reader>, until gate: Gate) async {
    await withCheckedContinuation { (taken: CheckedContinuation<Void, Never>) in
      Thread {
        try? pool.withConnectionBlocking { _ in
          taken.resume()
          gate.wait()
        }
      }.start()
    }
  }

  @Test func readersAreCreatedOnDemandAndUsedAgain() async throws {
    let census = Census()
    let pool = ConnectionPool(limit: 4) { Reader(census) }
    #expect(pool.count == 0)
    for _ in 0..<10 { #expect(try await pool.withConnection { $0.number } == 1) }
    #expect(pool.count == 1)
    #expect(census.madeCount == 1)
  }

  @Test func aThousandTasksShareTwoReaders() async throws {
    let census = Census()
    let pool = ConnectionPool(limit: 2) { Reader(census) }
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          try await pool.withConnection { _ in
            census.enter()
            defer { census.leave() }
            return number
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 499_500)
    #expect(census.madeCount <= 2)
    #expect(census.peak <= 2)
  }

  @Test func aLimitBelowOneIsTreatedAsOne() async throws {
    let pool = ConnectionPool(limit: 0) { Seven() }
    #expect(try await pool.withConnection { $0.number } == 7)
  }

  @Test func theLongestWaiterIsServedFirst() async throws {
    let census = Census()
    let pool = ConnectionPool(limit: 1) { Reader(census) }
    let gate = Gate()
    await occupy(pool, until: gate)
    let order = Recorder<Int>()
    // Threads instead of tasks: each waits before the next one starts.
    let finished = Recorder<Int>()
    for number in 0..<5 {
      let entered = Recorder<Int>()
      Thread {
        entered.note(number)
        try? pool.withConnectionBlocking { _ in order.note(number) }
        finished.note(number)
      }.start()
      #expect(await eventually { entered.all.count == 1 })
      try await Task.sleep(nanoseconds: 20_000_000)
    }
    gate.open()
    #expect(await eventually { finished.all.count == 5 })
    #expect(order.all == [0, 1, 2, 3, 4])
  }

  @Test func cancellingWhileWaitingThrowsAndLeaksNoSlot() async throws {
    let census = Census()
    let pool = ConnectionPool(limit: 1) { Reader(census) }
    let gate = Gate()
    await occupy(pool, until: gate)
    let waiting = (0..<50).map { _ in
      Task { try await pool.withConnection { _ in Issue.record("A cancelled task got a reader.") } }
    }
    try await Task.sleep(nanoseconds: 10_000_000)
    for task in waiting { task.cancel() }
    for task in waiting {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    gate.open()
    #expect(try await pool.withConnection { $0.number } == 1)
    #expect(pool.count == 1)
    await pool.close()
    #expect(pool.count == 0)
  }

  @Test func cancellingAtAnyMomentLeaksNoSlot() async throws {
    let census = Census()
    let pool = ConnectionPool(limit: 2) { Reader(census) }
    let tasks = (0..<2_000).map { _ in
      Task {
        try await pool.withConnection { _ in
          census.enter()
          census.leave()
        }
      }
    }
    let seed = Effort.seed("POOL")
    var random = SeededRandom(seed)
    for task in tasks where Bool.random(using: &random) { task.cancel() }
    for task in tasks { _ = try? await task.value }
    #expect(census.madeCount <= 2, "MAGIC_POOL_SEED=\(seed)")
    await pool.close()
    #expect(census.releasedCount == census.madeCount, "MAGIC_POOL_SEED=\(seed)")
  }

  @Test func aFailedFactoryFreesItsSlot() async throws {
    let census = Census()
    let pool = ConnectionPool(limit: 1) {
      guard census.make() > 3 else { throw Refused() }
      return Seven()
    }
    for _ in 0..<3 {
      await #expect(throws: Refused.self) { try await pool.withConnection { _ in } }
      #expect(pool.count == 0)
    }
    #expect(try await pool.withConnection { $0.number } == 7)
  }

  @Test func aWaiterForAFailedSlotIsServed() async throws {
    let census = Census()
    let gate = Gate()
    let pool = ConnectionPool(limit: 1) {
      guard census.make() > 1 else {
        gate.wait()
        throw Refused()
      }
      return Seven()
    }
    let failed = Recorder<Bool>()
    Thread {
      do { try pool.withConnectionBlocking { _ in } } catch { failed.note(error is Refused) }
    }.start()
    #expect(await eventually { census.madeCount == 1 })
    let waiting = (0..<3).map { _ in Task { try await pool.withConnection { $0.number } } }
    try await Task.sleep(nanoseconds: 10_000_000)
    gate.open()
    for task in waiting { #expect(try await task.value == 7) }
    #expect(await eventually { failed.all == [true] })
  }

  @Test func anErrorInTheBodyReturnsTheReader() async throws {
    let pool = ConnectionPool(limit: 1) { Seven() }
    await #expect(throws: Refused.self) { try await pool.withConnection { _ in throw Refused() } }
    #expect(try await pool.withConnection { $0.number } == 7)
    #expect(pool.count == 1)
  }

  @Test func closingWaitsForReadersInUseAndForWaiters() async throws {
    let census = Census()
    let pool = ConnectionPool(limit: 1) { Reader(census) }
    let gate = Gate()
    await occupy(pool, until: gate)
    let waiting = (0..<5).map { _ in Task { try await pool.withConnection { $0.number } } }
    try await Task.sleep(nanoseconds: 20_000_000)
    let closed = Recorder<Bool>()
    let closing = Task {
      await pool.close()
      closed.note(true)
    }
    try await Task.sleep(nanoseconds: 20_000_000)
    #expect(closed.all.isEmpty)
    #expect(census.releasedCount == 0)
    await #expect(throws: SQLiteError.self) { try await pool.withConnection { _ in } }
    gate.open()
    for task in waiting { #expect(try await task.value == 1) }
    await closing.value
    #expect(await eventually { census.releasedCount == 1 })
    await #expect(throws: SQLiteError.self) { try await pool.withConnection { _ in } }
    #expect(throws: SQLiteError.self) { try takeBlocking(pool) }
    #expect(census.madeCount == 1)
  }

  @Test func closingTwiceAndClosingAnUnusedPoolReturn() async throws {
    let pool = ConnectionPool(limit: 3) { Seven() }
    await pool.close()
    await pool.close()
    pool.closeWithoutWaiting()
    let error = try await #require(throws: SQLiteError.self) {
      try await pool.withConnection { _ in }
    }
    #expect(error.code == .misuse)
  }

  @Test func cancellingAWaiterDuringACloseLetsTheCloseFinish() async throws {
    let census = Census()
    let pool = ConnectionPool(limit: 1) { Reader(census) }
    let gate = Gate()
    await occupy(pool, until: gate)
    let waiting = Task { try await pool.withConnection { _ in } }
    try await Task.sleep(nanoseconds: 20_000_000)
    let closing = Task { await pool.close() }
    try await Task.sleep(nanoseconds: 20_000_000)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    gate.open()
    await closing.value
    #expect(pool.count == 0)
  }

  @Test func closingWithoutWaitingReleasesAReaderWhenItIsReturned() async throws {
    let census = Census()
    let pool = ConnectionPool(limit: 1) { Reader(census) }
    let gate = Gate()
    await occupy(pool, until: gate)
    let waiting = Task { try await pool.withConnection { _ in } }
    let other = Task { try await pool.withConnection { _ in } }
    try await Task.sleep(nanoseconds: 20_000_000)
    pool.closeWithoutWaiting()
    await #expect(throws: SQLiteError.self) { try await waiting.value }
    await #expect(throws: SQLiteError.self) { try await other.value }
    #expect(census.releasedCount == 0)
    gate.open()
    #expect(await eventually { census.releasedCount == 1 })
    #expect(pool.count == 0)
  }

  @Test func threadsShareReadersByBlocking() async throws {
    let census = Census()
    let pool = ConnectionPool(limit: 2) { Reader(census) }
    let done = Recorder<Int>()
    for number in 0..<16 {
      Thread {
        for _ in 0..<50 {
          try? pool.withConnectionBlocking { _ in
            census.enter()
            census.leave()
          }
        }
        done.note(number)
      }.start()
    }
    #expect(await eventually { done.all.count == 16 })
    #expect(census.peak <= 2)
    #expect(census.madeCount <= 2)
  }

  private func takeBlocking(_ pool: ConnectionPool<Reader>) throws {
    try pool.withConnectionBlocking { _ in }
  }
}

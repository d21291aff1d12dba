import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

private final class Chair: Sendable {}

/// Ten thousand concurrent waiters.
@Suite(.timeLimit(.minutes(5))) struct ConnectionPoolFairnessTests {
  private static let crowd = 10_000

  /// Adds many waiters while the only reader is in use.
  ///
  /// - Returns: its tasks and the reader.
  private func line(
    _ pool: ConnectionPool<Chair>, _ served: Recorder<Int>
  ) async throws -> (tasks: [Task<Void, any Error>], chair: Chair) {
    let chair = try #require(try pool.tryTake())
    let tasks = (0..<Self.crowd).map { number in
      Task { try await pool.withConnection { _ in served.note(number) } }
    }
    try #require(await eventually { pool.waitingCount == Self.crowd })
    return (tasks, chair)
  }

  /// How many tasks end with an error of a type.
  private func failures<Failure: Error>(
    of tasks: [Task<Void, any Error>], _ type: Failure.Type
  ) async -> Int {
    var count = 0
    for task in tasks {
      do { try await task.value } catch { count += error is Failure ? 1 : 0 }
    }
    return count
  }

  @Test func allFinishWithOneReader() async throws {
    let pool = ConnectionPool(limit: 1) { Chair() }
    let served = Recorder<Int>()
    let (tasks, chair) = try await line(pool, served)
    pool.give(chair)
    for task in tasks { try await task.value }
    #expect(Set(served.all) == Set(0..<Self.crowd))
    #expect(pool.count == 1)
    #expect(pool.waitingCount == 0)
  }

  /// Other processes can disturb a measurement, so the best of five counts.
  @Test(arguments: [1, 4])
  func theLongestWaitIsAtMostThreeTimesTheMedian(readers: Int) async throws {
    var isFair = false
    for _ in 0..<5 where !isFair {
      let waits = try await waits(readers: readers)
      #expect(waits.count == Self.crowd)
      isFair = waits[Self.crowd - 1] <= waits[Self.crowd / 2] * 3
    }
    #expect(isFair)
  }

  /// Returns the sorted waits of a crowd for a pool of some connections.
  private func waits(readers: Int) async throws -> [Duration] {
    let pool = ConnectionPool(limit: readers) { Chair() }
    var chairs: [Chair] = []
    for _ in 0..<readers { chairs.append(try #require(try pool.tryTake())) }
    let clock = ContinuousClock()
    let turns = Recorder<ContinuousClock.Instant>()
    let tasks = (0..<Self.crowd).map { _ in
      Task {
        try await pool.withConnection { _ in
          turns.note(clock.now)
          for _ in 0..<200 { _ = clock.now }
        }
      }
    }
    try #require(await eventually { pool.waitingCount == Self.crowd })
    let start = clock.now
    for chair in chairs { pool.give(chair) }
    for task in tasks { try await task.value }
    #expect(pool.count == readers)
    return turns.all.map { $0 - start }.sorted()
  }

  @Test func cancelledWaitersCostTheOthersNothing() async throws {
    let pool = ConnectionPool(limit: 1) { Chair() }
    let served = Recorder<Int>()
    let (tasks, chair) = try await line(pool, served)
    let clock = ContinuousClock()
    let start = clock.now
    for task in tasks.reversed() where task != tasks[0] { task.cancel() }
    #expect(await eventually { pool.waitingCount == 1 })
    // Linear costs for each waiter would be a hundred million steps.
    #expect(clock.now - start < .seconds(20))
    pool.give(chair)
    try await tasks[0].value
    #expect(await failures(of: tasks, CancellationError.self) == Self.crowd - 1)
    #expect(served.all == [0])
    #expect(try await pool.withConnection { _ in 7 } == 7)
    #expect(pool.count == 1)
  }

  @Test func closingRefusesAllWaiters() async throws {
    let pool = ConnectionPool(limit: 1) { Chair() }
    let served = Recorder<Int>()
    let (tasks, chair) = try await line(pool, served)
    for task in tasks.prefix(100) { task.cancel() }
    pool.closeWithoutWaiting()
    #expect(await failures(of: tasks, SQLiteError.self) == Self.crowd - 100)
    pool.give(chair)
    #expect(pool.count == 0)
    #expect(served.all.isEmpty)
  }
}

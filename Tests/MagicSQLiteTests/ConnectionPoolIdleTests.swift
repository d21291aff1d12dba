import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

private final class Chair: Sendable {}

/// The use of connections that no caller uses.
@Suite(.timeLimit(.minutes(5))) struct ConnectionPoolIdleTests {
  /// Creates connections that are idle.
  private func fill(_ pool: ConnectionPool<Chair>, _ count: Int) throws -> [Chair] {
    let chairs = try (0..<count).map { _ in try #require(try pool.tryTake()) }
    for chair in chairs { pool.give(chair) }
    return chairs
  }

  @Test func onlyWantedIdleConnectionsAreUsed() throws {
    let pool = ConnectionPool(limit: 3) { Chair() }
    let chairs = try fill(pool, 3)
    let taken = try #require(try pool.tryTake())
    var used: [Chair] = []
    pool.forEachIdle {
      $0 !== chairs[0]
    } _: {
      used.append($0)
    }
    #expect(used.count == 1)
    #expect(used.allSatisfy { $0 !== chairs[0] && $0 !== taken })
    pool.give(taken)
    #expect(try (0..<3).compactMap { _ in try pool.tryTake() }.count == 3)
    #expect(pool.count == 3)
  }

  @Test func otherConnectionsCanBeTakenMeanwhile() throws {
    let pool = ConnectionPool(limit: 2) { Chair() }
    let chairs = try fill(pool, 2)
    pool.forEachIdle {
      $0 === chairs[0]
    } _: { _ in
      let other = pool.takeIdle()
      #expect(other === chairs[1])
      #expect(pool.takeIdle() == nil)
      if let other { pool.give(other) }
    }
    #expect(pool.takeIdle() != nil)
  }

  @Test func aWaitingCallerGetsTheConnection() async throws {
    let pool = ConnectionPool(limit: 1) { Chair() }
    _ = try fill(pool, 1)
    let served = Recorder<Int>()
    let thread = Thread { try? pool.withConnectionBlocking { _ in served.note(1) } }
    pool.forEachIdle {
      _ in
      true
    } _: { _ in
      thread.start()
      while pool.waitingCount == 0 { Thread.sleep(forTimeInterval: 0.001) }
    }
    #expect(await eventually { served.count == 1 })
  }

  @Test func aSecondCallWaitsForTheFirst() async throws {
    let pool = ConnectionPool(limit: 1) { Chair() }
    _ = try fill(pool, 1)
    let events = Recorder<String>()
    let second = Thread {
      pool.forEachIdle {
        _ in
        true
      } _: { _ in
        events.note("second")
      }
      events.note("end")
    }
    pool.forEachIdle {
      _ in
      true
    } _: { _ in
      second.start()
      Thread.sleep(forTimeInterval: 0.05)
      events.note("first")
    }
    #expect(await eventually { events.count == 3 })
    #expect(events.all == ["first", "second", "end"])
  }

  @Test func aSuspensionAndAClosingWaitForTheConnection() async throws {
    let ended = Recorder<Int>()
    let pool = ConnectionPool(limit: 1, end: { _ in ended.note(1) }) { Chair() }
    _ = try fill(pool, 1)
    pool.forEachIdle {
      _ in
      true
    } _: { _ in
      pool.suspend()
      #expect(!pool.endIdle())
    }
    #expect(ended.count == 0)
    #expect(pool.endIdle())
    #expect(ended.count == 1)
    pool.resume()
    _ = try fill(pool, 1)
    pool.forEachIdle {
      _ in
      true
    } _: { _ in
      pool.closeWithoutWaiting()
      #expect(ended.count == 1)
    }
    #expect(ended.count == 2)
    await pool.close()
  }
}

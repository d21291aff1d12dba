import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

/// A member of a pool, which records its users. Two tasks must not use it at the same time.
private final class Desk {
  var users: [Int] = []
}

/// Takes a member while its calls are suspended.
private actor Clerk {
  let pool: ConnectionPool<Desk>

  init(_ pool: ConnectionPool<Desk>) { self.pool = pool }

  func work(_ number: Int) async throws -> [Int] {
    let desk = try await pool.take()
    defer { pool.give(desk) }
    desk.users.append(number)
    await Task.yield()
    desk.users.append(number)
    return desk.users
  }
}

@Suite struct ConnectionTakingTests {
  @Test func aTakenMemberIsExclusiveAcrossSuspensions() async throws {
    let pool = ConnectionPool(limit: 1) { Desk() }
    let last = try await withThrowingTaskGroup(of: [Int].self) { group in
      for number in 0..<200 { group.addTask { try await Clerk(pool).work(number) } }
      return try await group.reduce([]) { $1.count > $0.count ? $1 : $0 }
    }
    #expect(last.count == 400)
    for index in stride(from: 0, to: last.count, by: 2) { #expect(last[index] == last[index + 1]) }
    #expect(pool.count == 1)
    #expect(pool.waitingCount == 0)
  }

  @Test func tryingToTakeNeverWaits() async throws {
    let pool = ConnectionPool(limit: 1) { Desk() }
    let desk = try #require(try pool.tryTake())
    #expect(try pool.tryTake() == nil)
    pool.give(desk)
    #expect(try pool.tryTake() === desk)
  }

  @Test func tryingToTakeDoesNotOvertakeWaiters() async throws {
    let pool = ConnectionPool(limit: 1) { Desk() }
    let desk = try #require(try pool.tryTake())
    let waiting = Task { try await Clerk(pool).work(1) }
    #expect(await eventually { pool.waitingCount == 1 })
    #expect(try pool.tryTake() == nil)
    pool.give(desk)
    #expect(try await waiting.value == [1, 1])
  }

  @Test func aThreadBlocksUntilItTakesAMember() async throws {
    let pool = ConnectionPool(limit: 1) { Desk() }
    let desk = try #require(try pool.tryTake())
    let log = Recorder<Int>()
    Thread {
      guard let mine = try? pool.takeBlocking() else { return }
      log.note(mine.users.count)
      pool.give(mine)
    }.start()
    #expect(await eventually { pool.waitingCount == 1 })
    desk.users = [1, 2, 3]
    pool.give(desk)
    #expect(await eventually { log.all == [3] })
  }

  @Test func takingFromAClosedPoolThrows() async throws {
    let pool = ConnectionPool(limit: 1) { Desk() }
    await pool.close()
    #expect(throws: SQLiteError.self) { try pool.tryTake() }
    await #expect(throws: SQLiteError.self) { try await Clerk(pool).work(1) }
  }

  @Test func closingWaitsForTakenMembers() async throws {
    let pool = ConnectionPool(limit: 1) { Desk() }
    let desk = try #require(try pool.tryTake())
    let log = Recorder<Bool>()
    let closing = Task {
      await pool.close()
      log.note(true)
    }
    try await Task.sleep(nanoseconds: 20_000_000)
    #expect(log.all.isEmpty)
    pool.give(desk)
    await closing.value
    #expect(pool.count == 0)
  }
}

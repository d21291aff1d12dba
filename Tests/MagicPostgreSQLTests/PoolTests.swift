import Foundation
import MagicPostgreSQL
import MagicRuntime
import PostgreSQLTestSupport
import Testing

@Suite struct PoolTests {
  private final class Resource: Sendable {}

  @Test func theLimitIsKept() async throws {
    let pool = ResourcePool(limit: 2) { Resource() }
    let (first, second) = (try await pool.take(), try await pool.take())
    #expect(first !== second)
    let third = Task { try await pool.take() }
    try await Task.sleep(for: .milliseconds(20))
    pool.give(first)
    #expect(try await third.value === first)
    pool.give(first)
    pool.give(second)
    #expect(await pool.close().count == 2)
    await #expect(throws: PostgreSQLError.self) { try await pool.take() }
  }

  @Test func aCancelledTaskStopsWaiting() async throws {
    let pool = ResourcePool(limit: 1) { Resource() }
    let resource = try await pool.take()
    let waiting = Task { try await pool.take() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    pool.give(resource)
    #expect(try await pool.take() === resource)
  }

  @Test func waitingCallersAreRefusedWhenThePoolCloses() async throws {
    let pool = ResourcePool(limit: 1) { Resource() }
    let resource = try await pool.take()
    let waiting = Task { try await pool.take() }
    try await Task.sleep(for: .milliseconds(20))
    #expect(pool.closeWithoutWaiting().isEmpty)
    await #expect(throws: PostgreSQLError.self) { try await waiting.value }
    pool.give(resource)
  }

  @Test func bodiesRunOnOneThread() async throws {
    let actor = ThreadActor()
    let names = Mutex<Set<ObjectIdentifier>>([])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await actor.run {
            let thread = ObjectIdentifier(Thread.current)
            _ = names.withLock { $0.insert(thread) }
            #expect(!Thread.isMainThread)
          }
        }
      }
    }
    #expect(names.withLock { $0.count } == 1)
  }

  @Test(.requiresPostgreSQL) func aLostConnectionIsOpenedAgain() throws {
    let server = try PostgreSQLServer.shared.get()
    let place = PooledConnection { try server.connect() }
    let first = try place.connection()
    #expect(try place.connection() === first)
    let process = try first.execute("SELECT pg_backend_pid()").text(0, 0)
    try server.connect().execute("SELECT pg_terminate_backend(\(process), 5000)")
    #expect(throws: PostgreSQLError.self) { try first.execute("SELECT 1") }
    #expect(try place.connection() !== first)
    #expect(try place.connection().execute("SELECT 1").count == 1)
    place.close()
  }

  @Test(.requiresPostgreSQL) func connectionsOfAnEarlierGenerationAreOpenedAgain() throws {
    let server = try PostgreSQLServer.shared.get()
    let generation = ConnectionGeneration()
    let places = (0..<2).map { _ in PooledConnection(generation) { try server.connect() } }
    let old = try places.map { try $0.connection() }
    generation.end()
    for (place, old) in zip(places, old) {
      let new = try place.connection()
      #expect(new !== old)
      #expect(try place.connection() === new)
      place.close()
    }
  }
}

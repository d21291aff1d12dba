import EngineConformance
import MagicSQLite
import MagicTestSupport
import SQLiteEngine
@testable import MagicStore
@testable import SQLiteStore
import Testing

/// The order in which writes start.
@Suite struct CommitQueueTests {
  private let scratch = Scratch()

  @Test(.timeLimit(.minutes(5))) func aWriteThatSharesDoesNotOvertakeAnExclusiveOne() async throws {
    let store = try scratch.open()
    defer { store.close() }
    let pool = try #require(store.shared.writer)
    nonisolated(unsafe) let writer = try await pool.take()
    let batch = CommitBatch(writer: writer) { _ in }
    let queue = CommitQueue(StoreLifecycle())
    let order = Recorder<String>()
    func enter(_ name: String, isExclusive: Bool) async -> Task<Void, Never> {
      let count = queue.waitingCount
      let task = Task {
        let role = await queue.enter(isExclusive: isExclusive)
        order.note(name)
        switch role {
        case .leader: queue.wakeNext()
        case .member(let batch): _ = queue.didRun(in: batch, hasFailed: false)
        case .cancelled, .suspended: break
        }
      }
      while queue.waitingCount == count, !order.all.contains(name) { await Task.yield() }
      return task
    }

    guard case .leader = await queue.enter(isExclusive: false) else {
      Issue.record("the first does not lead")
      return
    }
    queue.open(batch)
    let joining = await enter("joining", isExclusive: false)
    let exclusive = await enter("exclusive", isExclusive: true)
    let later = await enter("later", isExclusive: false)
    #expect(queue.didRun(in: batch, hasFailed: false))
    queue.wakeNext()
    for task in [joining, exclusive, later] { await task.value }
    #expect(order.all == ["joining", "exclusive", "later"])
    pool.give(writer)
  }

  @Test func noWriteJoinsABatchAfterAWriteOfItHasFailed() async throws {
    let store = try scratch.open()
    defer { store.close() }
    let pool = try #require(store.shared.writer)
    nonisolated(unsafe) let writer = try await pool.take()
    for hasFailed in [false, true] {
      let batch = CommitBatch(writer: writer) { _ in }
      let queue = CommitQueue(StoreLifecycle())
      let roles = Recorder<String>()
      func enter(_ name: String) -> Task<Void, Never> {
        Task {
          switch await queue.enter(isExclusive: false) {
          case .leader:
            roles.note("\(name) leads")
            queue.wakeNext()
          case .member(let batch):
            roles.note("\(name) joins")
            _ = queue.didRun(in: batch, hasFailed: name == "first" && hasFailed)
          case .cancelled, .suspended: break
          }
        }
      }
      guard case .leader = await queue.enter(isExclusive: false) else {
        Issue.record("the first does not lead")
        return
      }
      let first = enter("first")
      while queue.waitingCount == 0 { await Task.yield() }
      queue.open(batch)
      await first.value
      let second = enter("second")
      while queue.waitingCount == 0, roles.all.count < 2 { await Task.yield() }
      #expect(queue.didRun(in: batch, hasFailed: false))
      queue.wakeNext()
      await second.value
      #expect(roles.all == ["first joins", hasFailed ? "second leads" : "second joins"])
    }
    pool.give(writer)
  }
}

import Foundation
import MagicData
import MagicRuntime
import MagicTestSupport
import Testing

@testable import MagicStore
@testable import SQLiteStore

@Suite(.timeLimit(.minutes(5))) struct ExternalChangePollerTests {
  @Test func theThreadExistsWhileThereAreObservers() async throws {
    let database = try await OutDatabase()
    let store = database.magic.store.shared
    let poller = ExternalChangePoller { [store] }
    #expect(!poller.isPolling)
    try await observed(database) {
      poller.wake()
      try await Task.sleep(for: .seconds(1.5 * ExternalChangePoller.interval))
      #expect(poller.isPolling)
    }
    #expect(await eventually { !poller.isPolling })
    // It is started again.
    poller.wake()
    #expect(poller.isPolling)
    #expect(await eventually { !poller.isPolling })
  }

  private func observed(_ database: OutDatabase, _ body: () async throws -> Void) async throws {
    let stream = database.magic.changes()
    try await body()
    withExtendedLifetime(stream) {}
  }

  @Test func itPollsTwiceASecondAtMost() async throws {
    let directory = try TemporaryDirectory()
    let looks = LookCount()
    let store = try MagicObjectStore.open(
      .file(directory.file("idle.sqlite3").path),
      options: MagicOptions(trace: { if $0.contains("data_version") { looks.note() } }))
    let magic = MagicData(store: store)
    let before = looks.count
    let stream = magic.changes()
    let start = ContinuousClock.now
    try await Task.sleep(for: .seconds(2))
    await magic.close()
    let seconds = start.duration(to: .now) / .seconds(1)
    #expect(looks.count > before + 2)
    // One when the stream is created, and one when the database is closed.
    #expect(Double(looks.count - before) <= 2 * seconds + 2)
    withExtendedLifetime(stream) {}
  }

  private final class LookCount: Locked, @unchecked Sendable {
    private var looks = 0

    override init() { super.init() }

    var count: Int { withLock { looks } }

    func note() { withLock { looks += 1 } }
  }
}

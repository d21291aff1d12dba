import Foundation
import MagicAssets
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// `verify()` and `repair()` in tasks that are cancelled.
@Suite(.requiresPostgreSQL, .timeLimit(.minutes(2))) struct MaintenanceCancellationTests {
  @Test func aVerificationIsInterrupted() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(Match("first"))
    let lock = try schema.lock("Match")
    let task = Task { try await magic.verify() }
    #expect(try await eventually { try schema.isAwaited("Match") })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await eventually { try !schema.isAwaited("Match") })
    lock.close()
    #expect(try await magic.verify().findings.isEmpty)
    await magic.close()
  }

  @Test func aRepairThatWaitsForALockIsInterrupted() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(Match("first"))
    let lock = try schema.lock("magic_format")
    let task = Task { try await magic.repair() }
    #expect(try await eventually { try schema.isAwaited("magic_format") })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    lock.close()
    #expect(try await magic.repair().findings.isEmpty)
    try await magic.update(Match("second"))
    await magic.close()
  }

  @Test func aRepairThatWaitsForAnotherTransactionIsInterrupted() async throws {
    let magic = try await TestSchema().openMagicData()
    let (began, mayEnd) = (Flag(), Flag())
    let other = Task {
      try await magic.transaction { _ in
        began.set()
        mayEnd.wait()
      }
    }
    #expect(await eventually { began.isSet })
    let task = Task { try await magic.repair() }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!mayEnd.isSet)
    mayEnd.set()
    try await other.value
    await magic.close()
  }

  /// Threads of Swift's pool are as many as processors.
  @Test func verificationsDoNotBlockThePool() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(Match("first"))
    let lock = try schema.lock("Match")
    let count = ProcessInfo.processInfo.activeProcessorCount
    let tasks = (0..<count).map { _ in Task { try await magic.verify() } }
    let waiting = "SELECT FROM pg_locks WHERE relation = '\"Match\"'::regclass AND NOT granted"
    // The condition runs only while a thread is free.
    #expect(try await eventually { try schema.run(waiting).count >= count })
    lock.close()
    for task in tasks { #expect(try await task.value.findings.isEmpty) }
    await magic.close()
  }
}

import Foundation
package import MagicEngine
import MagicRuntime
package import MagicSchema

/// A database whose tables are values in memory.
///
/// One transaction writes at a time, on a copy of the tables that replaces them when it commits.
/// Reads use the tables that were committed last.
package final class MemoryDatabase: EngineDatabase {
  package let token: StoreToken
  package let feed = ChangeFeed()
  package let diagnostics: Diagnostics?
  /// Receives a line for each applied row of changesets, for each change of members, and for each query
  /// for objects outside of a transaction. For tests.
  let trace: (@Sendable (String) -> Void)?
  package let lifecycle: StoreLifecycle
  let leases: StoreLeases
  private let tables = Mutex(MemoryTables())
  private let writer = Writer()
  /// The lock of the transaction that writes.
  private let writeLock = NSLock()

  /// An actor for the writes of tasks, so that at most one of their threads waits for the lock.
  private actor Writer {
    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
      try body()
    }
  }

  package init(
    diagnostics: MagicDiagnostics? = nil, trace: (@Sendable (String) -> Void)? = nil
  ) {
    token = OpenDatabases.shared.newToken()
    let lifecycle = StoreLifecycle()
    (self.lifecycle, leases) = (lifecycle, StoreLeases(lifecycle))
    self.diagnostics = diagnostics.map(Diagnostics.init)
    self.trace = trace
    leases.setDatabase(self)
    leases.addHandle()
    OpenDatabases.shared.register(self)
  }

  deinit { OpenDatabases.shared.unregister(token, ObjectIdentifier(self)) }

  /// The tables that were committed last.
  var committed: MemoryTables { tables.withLock { $0 } }

  /// Changes the tables as another process would. For tests.
  func changeTables(_ change: (inout MemoryTables) throws -> Void) rethrows {
    try tables.withLock { try change(&$0) }
  }

  func makeLease() -> StoreLease? { leases.makeLease() }

  func checkMayContinue() throws { try lifecycle.checkMayContinue() }

  // MARK: Reads

  package func reading<Result: Sendable>(
    _ body: @Sendable (any EngineReader) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try read(body)
  }

  @available(*, noasync)
  package func readBlocking<Result>(
    _ body: (any EngineReader) throws -> Result
  ) throws -> Result {
    try checkNotReentrant()
    return try read(body)
  }

  private func read<Result>(_ body: (any EngineReader) throws -> Result) throws -> Result {
    let result = try markingCall { try body(MemoryReader(self)) }
    try checkMayContinue()
    return result
  }

  // MARK: Writes

  package func writing<Result: Sendable>(
    isRepeatable: Bool, _ body: @Sendable (any EngineTransaction) throws -> Result
  ) async throws -> Result {
    try await writer.run {
      try Task.checkCancellation()
      return try self.write(body)
    }
  }

  @available(*, noasync)
  package func writeBlocking<Result>(
    _ body: (any EngineTransaction) throws -> Result
  ) throws -> Result {
    try checkNotReentrant()
    return try write(body)
  }

  private func write<Result>(_ body: (any EngineTransaction) throws -> Result) throws -> Result {
    try writeLock.withLock {
      let transaction = MemoryTransaction(self, committed)
      let result: Result
      let after: MemoryTables
      do {
        try checkMayContinue()
        result = try markingCall { try body(transaction) }
        try checkMayContinue()
        after = try transaction.end()
      } catch {
        transaction.participant?.didRollBack()
        transaction.participant = nil
        throw error
      }
      tables.withLock { $0 = after }
      transaction.participant?.didCommit()
      transaction.participant = nil
      publish(transaction, after)
      return result
    }
  }

  /// Waits for the earlier writes of tasks.
  func writesEnded() async { await writer.run {} }

  private func publish(_ transaction: MemoryTransaction, _ after: MemoryTables) {
    var scope = transaction.scope
    scope.hasWritten = after.hasTouchedRows
    let changes = scope.filter.flatMap {
      after.changes(since: transaction.before, $0.value, hasWritten: scope.hasWritten)
    }
    feed.publish(changes, known: scope)
  }
}

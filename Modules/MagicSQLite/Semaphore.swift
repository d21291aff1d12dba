/// Limits the number of concurrent callers, and serves them in the order of their requests. A
/// caller may hold a permit across a suspension point. A semaphore can be closed and suspended like
/// a pool of connections.
package final class Semaphore: Sendable {
  private final class Permit: Sendable {}

  private let permits: ConnectionPool<Permit>

  /// - Parameter limit: the maximum number of concurrent callers, at least one.
  package init(limit: Int) { permits = ConnectionPool(limit: limit) { Permit() } }

  /// Runs the body with a permit. Suspends the task until one is available.
  ///
  /// - Throws: ``SQLiteError`` if the semaphore is closed or suspended, `CancellationError` if the
  ///   task is cancelled while it waits, and what the body throws.
  package func withPermit<Result>(_ body: () async throws -> Result) async throws -> Result {
    let permit = try await permits.take()
    defer { permits.give(permit) }
    return try await body()
  }

  /// The same as ``withPermit(_:)`` for threads: waits by blocking.
  @available(*, noasync)
  package func withPermitBlocking<Result>(_ body: () throws -> Result) throws -> Result {
    try permits.withConnectionBlocking { _ in try body() }
  }

  /// Closes the semaphore. Later calls throw. Callers that already wait still get a permit, and the
  /// call returns when the last permit was returned.
  package func close() async { await permits.close() }

  /// Closes the semaphore without waiting; waiting callers get an error.
  package func closeWithoutWaiting() { permits.closeWithoutWaiting() }

  /// Suspends the semaphore: callers get no permit before ``resume()``, and waiting callers get an
  /// error.
  package func suspend() { permits.suspend() }

  package func resume() { permits.resume() }

  /// Whether no caller has a permit. Read while the semaphore is suspended.
  package var isUnused: Bool { permits.endIdle() }
}

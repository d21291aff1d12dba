/// Permits for a limited number of callers at once, in the order of their requests. It can be held across
/// a suspension, closed and suspended as a pool of connections is.
package final class Semaphore: Sendable {
  private final class Permit: Sendable {}

  private let permits: ConnectionPool<Permit>

  /// - Parameter limit: the most callers at once, at least one.
  package init(limit: Int) { permits = ConnectionPool(limit: limit) { Permit() } }

  /// Runs the body with a permit. Suspends while there is none.
  ///
  /// - Throws: ``SQLiteError`` where the semaphore is closed or suspended, `CancellationError` where the
  ///   task is cancelled while it waits, and what the body throws.
  package func withPermit<Result>(_ body: () async throws -> Result) async throws -> Result {
    let permit = try await permits.take()
    defer { permits.give(permit) }
    return try await body()
  }

  /// Like ``withPermit(_:)`` for threads: blocks while there is none.
  @available(*, noasync)
  package func withPermitBlocking<Result>(_ body: () throws -> Result) throws -> Result {
    try permits.withConnectionBlocking { _ in try body() }
  }

  /// Gives out no permit any more. Waiters have their turn, and the call returns when the last permit was
  /// returned.
  package func close() async { await permits.close() }

  /// Gives out no permit any more; waiters get an error.
  package func closeWithoutWaiting() { permits.closeWithoutWaiting() }

  /// Gives out no permit before ``resume()``; waiters get an error.
  package func suspend() { permits.suspend() }

  package func resume() { permits.resume() }

  /// Whether no caller has a permit. Asked while the semaphore is suspended.
  package var isUnused: Bool { permits.endIdle() }
}

import Foundation
import MagicRuntime

/// The cancellation of one call that uses a connection. Any thread may cancel it.
///
/// A cancelled call sends no further statement, and requests to the server interrupt the statement that
/// runs. A commit is never interrupted: either the call is cancelled before its COMMIT is sent, and the
/// commit is refused, or the cancellation waits for the answer.
package final class StatementCancellation: Sendable {
  private struct State: Sendable {
    var isCancelled = false
    /// Whether a commit or a rollback runs, during which no request is sent.
    var isProtected = false
    var hasEnded = false
    var hasSentRequest = false
    /// The request for the connection that the call uses.
    var request: CancelRequest?
  }

  private let state = Mutex(State())
  private let origin = ProcessOrigin()
  private let isCallerCancelled: (@Sendable () -> Bool)?

  /// - Parameter isCallerCancelled: asked from time to time while the call waits for the server, for a
  ///   caller that is not notified of its cancellation; nil if it calls ``cancel()``.
  package init(polling isCallerCancelled: (@Sendable () -> Bool)? = nil) {
    self.isCallerCancelled = isCallerCancelled
  }

  /// Whether the call was cancelled.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Cancels the call. Returns immediately. Has no effect after the end of the call, and in a forked
  /// child process.
  package func cancel() {
    guard !origin.isForked else { return }
    let mustInterrupt = state.withLock { state in
      guard !state.isCancelled, !state.hasEnded else { return false }
      state.isCancelled = true
      return !state.isProtected
    }
    guard mustInterrupt else { return }
    let thread = Thread { self.sendRequests() }
    thread.name = "MagicData cancellation"
    thread.start()
  }

  /// The time before the first request, in seconds. A statement that ends earlier needs no request, so
  /// that the connection can be used by other calls.
  private static let firstPause = 0.005
  private static let longestPause = 0.5

  /// Sends requests until the call has ended. One request is not enough: the server ignores it if it
  /// arrives before the statement or between two statements.
  private func sendRequests() {
    var pause = Self.firstPause
    while true {
      Thread.sleep(forTimeInterval: pause)
      let (hasEnded, request) = state.withLock { state -> (Bool, CancelRequest?) in
        guard !state.hasEnded, !state.isProtected else { return (state.hasEnded, nil) }
        state.hasSentRequest = state.hasSentRequest || state.request != nil
        return (false, state.request)
      }
      guard !hasEnded else { return }
      request?.send()
      pause = min(2 * pause, Self.longestPause)
    }
  }

  // MARK: The thread of the call

  /// Whether a request was sent, so that the server may have cancelled a statement because of it.
  var hasSentRequest: Bool { state.withLock { $0.hasSentRequest } }

  /// Sets the connection whose statements are interrupted.
  func use(_ request: CancelRequest?) { state.withLock { $0.request = request } }

  /// The time between two questions whether the caller was cancelled, in milliseconds; nil for none.
  var pollMilliseconds: Int? { isCallerCancelled == nil ? nil : 20 }

  /// Cancels the call if its caller was cancelled.
  func poll() { if isCallerCancelled?() == true { cancel() } }

  /// - Throws: ``PostgreSQLError`` with `.cancelled` if the call was cancelled.
  func check() throws(PostgreSQLError) { if isCancelled { throw .cancelled() } }

  /// Called before a COMMIT is sent. No request is sent until ``endProtection()``.
  ///
  /// - Throws: ``PostgreSQLError`` with `.cancelled` if the call was cancelled before.
  func beginCommit() throws(PostgreSQLError) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.isProtected = true }
      return state.isCancelled
    }
    if isCancelled { throw .cancelled() }
  }

  /// Called before a ROLLBACK is sent, also if the call was cancelled.
  func beginRollback() { state.withLock { $0.isProtected = true } }

  /// Called after a rollback, and after a commit that has failed.
  func endProtection() { state.withLock { $0.isProtected = false } }

  /// Ends the call. No request is sent afterwards.
  ///
  /// - Returns: whether the connection must be closed: a request that was sent could interrupt the
  ///   statement of a later call.
  package func end() -> Bool {
    // The lock may be held by a thread that does not exist in the child process.
    guard !origin.isForked else { return false }
    return state.withLock { state in
      state.hasEnded = true
      state.request = nil
      return state.hasSentRequest
    }
  }
}

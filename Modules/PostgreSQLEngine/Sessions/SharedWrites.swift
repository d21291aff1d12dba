import MagicRuntime

/// A write that may share a transaction with others.
final class SharedWrite: @unchecked Sendable {
  /// Runs the body of the write. Nil after the last run, so that the body does not outlive its call.
  @exclusivity(unchecked) var run: ((PostgreSQLTransaction) throws -> Void)?
  /// The commit of the write, if it is published to observers.
  @exclusivity(unchecked) var published: (any PublishedCommit)?
  @exclusivity(unchecked) fileprivate var continuation: CheckedContinuation<Role, Never>?

  /// What the task of a write does.
  enum Role: Sendable {
    /// It runs its write, and those that wait.
    case leads
    /// Another task has run the write.
    case ended(Outcome)
  }

  /// How a shared transaction has ended for one of its writes.
  enum Outcome: Sendable {
    case committed
    /// The transaction was rolled back. The write runs again in a transaction of its own.
    case mustRunAlone
    case failed(any Error)
  }

  init(_ run: @escaping (PostgreSQLTransaction) throws -> Void) { self.run = run }

  func end(_ outcome: Outcome) {
    run = nil
    // The resumed task uses the object.
    let waiting = continuation
    continuation = nil
    waiting?.resume(returning: .ended(outcome))
  }
}

/// The writes of tasks that wait for the writing connection. One task leads: it runs all of them in
/// one transaction, so that they share its commit. The next one that waits then leads.
final class SharedWrites: Sendable {
  private struct State: Sendable {
    var isLed = false
    var waiting: [SharedWrite] = []
  }

  private let state = Mutex(State())

  /// The maximum number of writes in a transaction.
  private static let limit = 128

  /// Waits until the write was run, or must be run by the calling task.
  func enter(_ write: SharedWrite) async -> SharedWrite.Role {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let role: SharedWrite.Role? = state.withLock { state in
          if Task.isCancelled { return .ended(.failed(CancellationError())) }
          guard state.isLed else {
            state.isLed = true
            return .leads
          }
          write.continuation = continuation
          state.waiting.append(write)
          return nil
        }
        if let role { continuation.resume(returning: role) }
      }
    } onCancel: {
      let isRemoved = state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0 === write }) else { return false }
        state.waiting.remove(at: index)
        return true
      }
      if isRemoved { write.end(.failed(CancellationError())) }
    }
  }

  /// Takes the writes that wait.
  func takeWaiting() -> [SharedWrite] {
    state.withLock { state in
      let taken = Array(state.waiting.prefix(Self.limit - 1))
      state.waiting.removeFirst(taken.count)
      return taken
    }
  }

  /// Ends the leadership of the calling task.
  func leave() {
    let next = state.withLock { state -> CheckedContinuation<SharedWrite.Role, Never>? in
      guard !state.waiting.isEmpty else {
        state.isLed = false
        return nil
      }
      let next = state.waiting.removeFirst()
      defer { next.continuation = nil }
      return next.continuation
    }
    next?.resume(returning: .leads)
  }
}

import MagicPostgreSQL
import MagicRuntime

/// A call that may run together with those of other tasks.
class SharedCall<Context>: @unchecked Sendable {
  /// Runs the body of the call. Nil after the last run, so that the body does not outlive its call.
  @exclusivity(unchecked) var run: ((Context) throws -> Void)?
  @exclusivity(unchecked) fileprivate var continuation: CheckedContinuation<Role, Never>?
  /// Cancels the statements of the task that leads, while it runs this call with others.
  fileprivate let leader = Mutex<StatementCancellation?>(nil)
  /// Whether the call also waits while those of the task that leads take long.
  @exclusivity(unchecked) var waitsLong = false

  /// What the task of a call does.
  enum Role: Sendable {
    /// It runs its call, and those that wait.
    case leads
    /// Another task has run the call.
    case ended(Outcome)
    /// The calls of the task that leads take long. The task enters again with ``waitsLong``, or runs
    /// its call by itself.
    case delayed
  }

  /// How a call has ended that ran together with others.
  enum Outcome: Sendable {
    case completed
    /// The call has no effect. It runs again by itself.
    case mustRunAlone
    case failed(any Error)
  }

  init(_ run: @escaping (Context) throws -> Void) { self.run = run }

  func end(_ outcome: Outcome) {
    run = nil
    leader.withLock { $0 = nil }
    // The resumed task uses the object.
    let waiting = continuation
    continuation = nil
    waiting?.resume(returning: .ended(outcome))
  }
}

/// The calls of tasks that wait for a connection. One task leads: it runs all of them together. The
/// next one that waits then leads.
final class SharedCalls<Context, Call: SharedCall<Context>>: Sendable {
  private struct State: Sendable {
    var isLed = false
    /// Whether the calls of the task that leads take long.
    var isDelayed = false
    /// The shortest time of an answer, in nanoseconds. It grows slowly, so that it follows changes.
    var fastestAnswer = 0.0
    var waiting: [Call] = []
  }

  private let state = Mutex(State())

  /// The maximum number of calls that run together.
  private static var limit: Int { 128 }

  /// Waits until the call was run, or must be run by the calling task.
  func enter(_ call: Call) async -> Call.Role {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let role: Call.Role? = state.withLock { state in
          if Task.isCancelled { return .ended(.failed(CancellationError())) }
          guard state.isLed else {
            state.isLed = true
            return .leads
          }
          if state.isDelayed, !call.waitsLong { return .delayed }
          call.continuation = continuation
          state.waiting.append(call)
          return nil
        }
        if let role { continuation.resume(returning: role) }
      }
    } onCancel: {
      let isRemoved = state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0 === call }) else { return false }
        state.waiting.remove(at: index)
        return true
      }
      if isRemoved { return call.end(.failed(CancellationError())) }
      // The others run again by themselves.
      call.leader.withLock { $0?.cancel() }
    }
  }

  /// Takes the calls that wait, for the task that leads.
  ///
  /// - Parameter leader: cancelled with the task of any of the calls.
  func takeWaiting(cancelledBy leader: StatementCancellation?) -> [Call] {
    state.withLock { state in
      let taken = Array(state.waiting.prefix(Self.limit - 1))
      state.waiting.removeFirst(taken.count)
      for call in taken { call.leader.withLock { $0 = leader } }
      return taken
    }
  }

  /// The time after which an answer is late: several times that of a fast one, which depends on the
  /// distance to the server.
  var usualMilliseconds: Int {
    state.withLock { max(1, Int(($0.fastestAnswer * 4 / 1e6).rounded(.up))) }
  }

  func noteAnswer(after nanoseconds: UInt64) {
    state.withLock { state in
      let time = Double(nanoseconds)
      state.fastestAnswer =
        state.fastestAnswer == 0 ? time : min(time, state.fastestAnswer * 1.01)
    }
  }

  /// Lets calls that do not wait long continue, because those of the calling task take long.
  func noteDelay() {
    let delayed = state.withLock { state -> [CheckedContinuation<Call.Role, Never>] in
      state.isDelayed = true
      let continuations = state.waiting.filter { !$0.waitsLong }.compactMap { call in
        defer { call.continuation = nil }
        return call.continuation
      }
      state.waiting.removeAll { !$0.waitsLong }
      return continuations
    }
    for continuation in delayed { continuation.resume(returning: .delayed) }
  }

  /// Ends the leadership of the calling task.
  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Call.Role, Never>? in
      state.isDelayed = false
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

/// A result that one thread stores, and another one takes later.
final class StoredResult<Value: Sendable>: @unchecked Sendable {
  @exclusivity(unchecked) var value: Value?
}

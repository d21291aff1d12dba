import MagicBase
import MagicRuntime
import MagicSchema

/// The work of a session, which tasks share: what is pending, and what a commit is storing.
///
/// Objects are released outside of the lock, because releasing them may run code of the user.
final class SessionWork: Sendable {
  /// Lets one commit run at a time.
  let turn = SessionTurn()
  private let state = Mutex(State())

  private struct State: Sendable {
    var pending = PendingWork()
    /// The work of the running commit.
    var running: PendingWork?
    /// Whether the transaction of the session has ended.
    var isOver = false
  }

  /// Whether there is nothing to commit. The work of a running commit counts until its end.
  var isEmpty: Bool { state.withLock { $0.pending.isEmpty && $0.running == nil } }

  func add(_ objects: [any MagicObject], _ saving: PendingWork.Saving) {
    let entries = objects.map { PendingWork.Entry($0, .save(saving)) }
    state.withLock { state in
      for entry in entries { state.pending.add(entry) }
    }
  }

  func delete(_ objects: [any MagicObject]) {
    let entries = objects.map { PendingWork.Entry($0, .delete(isNewAllowed: false)) }
    state.withLock { state in
      for var entry in entries {
        // An object of a running commit may be new. If that commit fails, it has no row.
        if state.running?.saves(entry) == true { entry.operation = .delete(isNewAllowed: true) }
        state.pending.delete(entry)
      }
    }
  }

  /// Discards the pending work.
  func discard() {
    let discarded = state.withLock { state in
      defer { state.pending = PendingWork() }
      return state.pending
    }
    withExtendedLifetime(discarded) {}
  }

  /// Moves the pending work to the end of another session's work.
  ///
  /// - Throws: `MagicError` with `.transactionOver` if the other session was in a transaction, which
  ///   has ended. The work stays where it is then.
  func move(to other: SessionWork) throws {
    let moved = state.withLock { state in
      defer { state.pending = PendingWork() }
      return state.pending
    }
    let isMoved = other.state.withLock { outer in
      if !outer.isOver { outer.pending.append(moved) }
      return !outer.isOver
    }
    guard !isMoved else { return }
    state.withLock { state in
      var work = moved
      work.append(state.pending)
      state.pending = work
    }
    throw MagicError(
      .transactionOver,
      "The transaction of the outer session has ended. Commit an inner session before the body of "
        + "withSession(_:) returns.")
  }

  /// Takes the work for the running commit. A commit whose body runs again gets the same work.
  func take() -> PendingWork {
    state.withLock { state in
      if let running = state.running { return running }
      defer { state.pending = PendingWork() }
      if !state.pending.isEmpty { state.running = state.pending }
      return state.pending
    }
  }

  /// Ends the running commit, which has stored its work.
  func didStore() {
    let stored = state.withLock { state in
      defer { state.running = nil }
      return state.running
    }
    withExtendedLifetime(stored) {}
  }

  /// Ends the running commit, which has failed. Its work precedes the work that was added later.
  func didFail() {
    state.withLock { state in
      guard var work = state.running else { return }
      work.append(state.pending)
      state.pending = work
      state.running = nil
    }
  }

  /// Records that the transaction of the session has ended.
  func end() { state.withLock { $0.isOver = true } }
}

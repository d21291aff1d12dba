import MagicRuntime
import MagicSchema

/// The work of a session, which tasks share: what is pending, and what commits are storing.
final class SessionWork: Sendable {
  private let state = Mutex(State())

  /// One call of `commit` or `flush`. The body of its write may run several times.
  final class CommitID: Sendable {}

  private struct State: Sendable {
    var pending = PendingWork()
    /// The work of the running commits, in the order in which they took it.
    var running: [(commit: CommitID, work: PendingWork)] = []
  }

  /// Whether there is nothing to commit. The work of a running commit counts until its end.
  var isEmpty: Bool { state.withLock { $0.pending.isEmpty && $0.running.isEmpty } }

  func add(_ objects: [any MagicObject], isUpsert: Bool) {
    state.withLock { state in
      for object in objects { state.pending.add(object, isUpsert: isUpsert) }
    }
  }

  func delete(_ objects: [any MagicObject]) {
    state.withLock { state in
      for object in objects {
        // An object of a running commit may be new. If that commit fails, it has no row.
        let isNewAllowed = state.running.contains { $0.work.saves(object) }
        state.pending.delete(object, isNewAllowed: isNewAllowed)
      }
    }
  }

  /// Discards the pending work.
  func discard() { state.withLock { $0.pending = PendingWork() } }

  /// Moves the pending work to the end of another session's work.
  func move(to other: SessionWork) {
    let moved = state.withLock { state in
      defer { state.pending = PendingWork() }
      return state.pending
    }
    other.state.withLock { $0.pending.append(moved) }
  }

  /// Takes the work for a commit. A commit whose body runs again gets the same work.
  func take(for commit: CommitID) -> PendingWork {
    state.withLock { state in
      if let known = state.running.first(where: { $0.commit === commit }) { return known.work }
      let work = state.pending
      state.pending = PendingWork()
      if !work.isEmpty { state.running.append((commit, work)) }
      return work
    }
  }

  /// Ends a commit that has stored its work.
  func didStore(_ commit: CommitID) {
    state.withLock { $0.running.removeAll { $0.commit === commit } }
  }

  /// Returns the work of a failed commit, before the work that was added later.
  func didFail(_ commit: CommitID) {
    state.withLock { state in
      guard let index = state.running.firstIndex(where: { $0.commit === commit }) else { return }
      var work = state.running.remove(at: index).work
      work.append(state.pending)
      state.pending = work
    }
  }
}

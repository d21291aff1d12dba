import MagicEngine
import MagicGraph

extension MagicSession {
  /// Stores the work in one transaction: all of it or nothing. The session is empty then, and can be
  /// used again. An empty session writes nothing. The commit of an inner session adds its work to
  /// the outer session.
  ///
  /// If the call throws, nothing is stored, the objects get their previous state, and the session
  /// keeps its work: correct the objects and commit again, or call ``rollback()``. Commits run one
  /// after the other, like all writes.
  ///
  /// - Throws: `MagicError`, as `update(_:)` and `remove(_:)`, and `.notUnique` for a new object
  ///   whose primary value or key is stored; `CancellationError` if the task was cancelled.
  public func commit() async throws {
    switch target {
    case .session(let outer): work.move(to: outer)
    case .store(let store):
      guard !isEmpty else { return }
      let commit = SessionWork.CommitID()
      do {
        try await store.writing { try self.execute(commit, in: $0) }
        work.didStore(commit)
      } catch {
        work.didFail(commit)
        throw error
      }
    }
  }

  /// Like the asynchronous `commit()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func commit() throws {
    switch target {
    case .session(let outer): work.move(to: outer)
    case .store(let store):
      guard !isEmpty else { return }
      let commit = SessionWork.CommitID()
      do {
        try store._write { try execute(commit, in: $0.objects) }
        work.didStore(commit)
      } catch {
        work.didFail(commit)
        throw error
      }
    }
  }

  /// Executes the work in a transaction. The work is taken here, after the writes of earlier
  /// commits, so that a commit does not return before work that was added earlier is stored.
  private func execute(_ commit: SessionWork.CommitID, in transaction: ObjectTransaction) throws {
    try work.take(for: commit).execute(in: transaction)
  }
}

extension MagicObjectStore {
  /// Runs a write of a task. Closing the store waits for it.
  fileprivate func writing(_ body: @Sendable (ObjectTransaction) throws -> Void) async throws {
    try Task.checkCancellation()
    try willWrite()
    defer { didWrite() }
    try await database.writing(isRepeatable: true) { try body(ObjectTransaction($0)) }
  }
}

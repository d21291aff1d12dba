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
    guard let store = try moveWorkOut() else { return }
    try await work.turn.begin()
    defer { work.turn.end() }
    do {
      try await store.writing { try self.execute(in: $0) }
      work.didStore()
    } catch {
      work.didFail()
      throw error
    }
  }

  /// Like the asynchronous `commit()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func commit() throws {
    guard let store = try moveWorkOut() else { return }
    // A commit that waits inside a write would wait for a commit that waits for the write.
    try store.database.checkNotReentrant()
    work.turn.beginBlocking()
    defer { work.turn.end() }
    do {
      try store._write { try execute(in: $0.objects) }
      work.didStore()
    } catch {
      work.didFail()
      throw error
    }
  }

  /// Moves the work of an inner session to the outer one.
  ///
  /// - Returns: the store in which the caller commits the work; nil if there is nothing more to do.
  private func moveWorkOut() throws -> MagicObjectStore? {
    switch target {
    case .session(let outer): try work.move(to: outer.work)
    case .transaction(let outer): try work.move(to: outer)
    case .store(let store): return work.isEmpty ? nil : store
    }
    return nil
  }

  /// Executes the work in a transaction. The work is taken here, where earlier commits have ended, so
  /// that a commit does not return before work that was added earlier is stored.
  private func execute(in transaction: ObjectTransaction) throws {
    try work.take().execute(in: transaction)
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

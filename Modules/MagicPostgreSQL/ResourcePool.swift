import MagicRuntime

/// A bounded pool of objects, each of which is created when it is first needed. Tasks and threads
/// get them in the order of their requests.
package final class ResourcePool<Resource: AnyObject & Sendable>: Sendable {
  private let limit: Int
  private let make: @Sendable () -> Resource
  private let state = Mutex(State())

  private struct State: Sendable {
    var idle: [Resource] = []
    var created: [Resource] = []
    var queue = WaiterQueue<Grant>()
    var isClosed = false
    var drained: [CheckedContinuation<Void, Never>] = []

    /// Whether the pool is closed and no resource is in use.
    var isDrained: Bool { isClosed && idle.count == created.count && queue.isEmpty }
  }

  private enum Grant: Sendable {
    case resource(Resource)
    case closed
    case cancelled
  }

  package init(limit: Int, make: @escaping @Sendable () -> Resource) {
    self.limit = max(1, limit)
    self.make = make
  }

  /// Takes a resource; the caller returns it with ``give(_:)``. Suspends the task while all are in
  /// use.
  ///
  /// - Throws: ``PostgreSQLError`` with `.misuse` if the pool is closed, and `CancellationError`.
  package func take() async throws -> Resource {
    try use(
      await Waiter<Grant>().wait(cancelled: .cancelled, enter: { enter($0) }) { waiter in
        state.withLock { $0.queue.remove(waiter) }
      })
  }

  /// The same as ``take()`` for threads: waits by blocking.
  @available(*, noasync)
  package func takeBlocking() throws -> Resource {
    try use(
      Waiter<Grant>().waitBlocking(cancelled: .cancelled, enter: { enter($0) }) { waiter in
        state.withLock { $0.queue.remove(waiter) }
      })
  }

  /// Returns a resource. The first waiter gets it.
  package func give(_ resource: Resource) {
    let waiter = state.withLock { state in
      let waiter = state.queue.popFirst()
      if waiter == nil { state.idle.append(resource) }
      return waiter
    }
    waiter?.resume(.resource(resource))
    finishIfDrained()
  }

  /// Refuses later requests. Callers that wait still get a resource. The call returns when every
  /// resource was returned.
  ///
  /// - Returns: all resources.
  package func close() async -> [Resource] {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.isClosed = true
        state.drained.append(continuation)
      }
      finishIfDrained()
    }
    return state.withLock { $0.created }
  }

  /// Refuses later requests, and resumes the callers that wait with an error.
  ///
  /// - Returns: the resources that are not in use. The caller closes the others when it returns them.
  package func closeWithoutWaiting() -> [Resource] {
    let (waiting, idle) = state.withLock { state in
      state.isClosed = true
      return (state.queue.popAll(), state.idle)
    }
    for waiter in waiting { waiter.resume(.closed) }
    return idle
  }

  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Whether the pool is closed, and no resource is in use.
  package var isDrained: Bool { state.withLock { $0.isDrained } }

  private func enter(_ waiter: Waiter<Grant>) {
    let immediate: Grant? = state.withLock { state in
      if state.isClosed { return .closed }
      if Task.isCancelled { return .cancelled }
      if let resource = state.idle.popLast() { return .resource(resource) }
      if state.created.count < limit {
        let resource = make()
        state.created.append(resource)
        return .resource(resource)
      }
      state.queue.append(waiter)
      return nil
    }
    if let immediate { waiter.resume(immediate) }
  }

  private func use(_ grant: Grant) throws -> Resource {
    switch grant {
    case .resource(let resource): return resource
    case .closed: throw PostgreSQLError(.misuse, "The database is closed.")
    case .cancelled: throw CancellationError()
    }
  }

  private func finishIfDrained() {
    let continuations: [CheckedContinuation<Void, Never>] = state.withLock { state in
      guard state.isDrained else { return [] }
      defer { state.drained = [] }
      return state.drained
    }
    for continuation in continuations { continuation.resume() }
  }
}

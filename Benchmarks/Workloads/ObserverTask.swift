/// A task that reads the elements of a sequence while a work is measured.
public struct ObserverTask: Sendable {
  private let task: Task<Int, any Error>

  /// The error if the sequence had no element.
  public struct NoElement: Error {}

  /// Starts to read, and returns when the first element was read.
  ///
  /// - Parameter elements: creates the sequence.
  public static func start<Elements: AsyncSequence>(
    _ elements: @escaping @Sendable () -> Elements,
    _ body: @escaping @Sendable (Elements.Element) -> Void
  ) async -> ObserverTask
  where Elements: SendableMetatype, Elements.AsyncIterator: SendableMetatype {
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      defer { start.finish() }
      var count = 0
      do {
        for try await element in elements() {
          body(element)
          count += 1
          start.finish()
        }
      } catch is CancellationError {}
      return count
    }
    for await _ in started {}
    return ObserverTask(task: task)
  }

  /// Stops reading.
  ///
  /// - Throws: the error of the sequence, or ``NoElement``.
  public func end() async throws {
    task.cancel()
    guard try await task.value > 0 else { throw NoElement() }
  }
}

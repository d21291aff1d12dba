/// What another task observes while people are saved.
public enum Observer: Sendable {
  /// Nothing.
  case none
  /// The changes of people.
  case changes
  /// The twenty people with the last primaries, with every value, as they are after each change.
  case lastPeople

  /// Starts a task that reads the elements of a sequence, and returns it when the first one was read.
  ///
  /// - Parameter elements: creates the sequence.
  public static func read<Elements: AsyncSequence>(
    _ elements: @escaping @Sendable () -> Elements,
    _ body: @escaping @Sendable (Elements.Element) -> Void
  ) async -> Task<Void, any Error>
  where Elements: SendableMetatype, Elements.AsyncIterator: SendableMetatype {
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      defer { start.finish() }
      for try await element in elements() {
        body(element)
        start.finish()
      }
    }
    for await _ in started {}
    return task
  }
}

import MagicStore

/// Brings the results of a read to an object, without keeping it alive.
@MainActor
final class LiveValues<Value: Sendable> {
  /// What there is to say.
  enum News {
    case value(Value)
    case equal
    case failure(any Error)
  }

  private var task: Task<Void, Never>?
  /// Names the result that was last brought.
  private var last: ResultDigest.Value?

  nonisolated init() {}

  deinit { task?.cancel() }

  /// Brings the results of a sequence, from now on and in place of those before.
  ///
  /// A first result that is equal to the last one is said to be so.
  func follow<Owner: AnyObject & Sendable>(
    _ values: MagicValues<Value>, for owner: Owner,
    _ bring: @escaping @MainActor (Owner, News) -> Void
  ) {
    task?.cancel()
    task = Task { [weak self, weak owner] in
      var results = values.makeAsyncIterator()
      do {
        while let value = try await results.next() {
          guard !Task.isCancelled, let self, let owner else { return }
          let isEqual = results.last == last
          last = results.last
          bring(owner, isEqual ? .equal : .value(value))
        }
      } catch {
        guard !Task.isCancelled, let owner else { return }
        bring(owner, .failure(error))
      }
    }
  }
}

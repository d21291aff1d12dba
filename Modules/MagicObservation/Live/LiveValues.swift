import MagicStore

/// Delivers the results of a read to an object without retaining the object.
@MainActor
final class LiveValues<Value: Sendable> {
  /// An update for the owner.
  enum Update {
    case value(Value)
    case equal
    case failure(any Error)
  }

  private var task: Task<Void, Never>?
  /// The digest of the last result that was delivered.
  private var last: ResultDigest.Value?

  nonisolated init() {}

  deinit { task?.cancel() }

  /// Delivers the results of a sequence, instead of the results of the previous sequence.
  ///
  /// If the first result equals the last one that was delivered, `.equal` is delivered.
  func follow<Owner: AnyObject & Sendable>(
    _ values: MagicValues<Value>, for owner: Owner,
    _ deliver: @escaping @MainActor (Owner, Update) -> Void
  ) {
    task?.cancel()
    task = Task { [weak self, weak owner] in
      var results = values.makeAsyncIterator()
      do {
        while let value = try await results.next() {
          guard !Task.isCancelled, let self, let owner else { return }
          let isEqual = results.last == last
          last = results.last
          deliver(owner, isEqual ? .equal : .value(value))
        }
      } catch {
        guard !Task.isCancelled, let owner else { return }
        deliver(owner, .failure(error))
      }
    }
  }
}

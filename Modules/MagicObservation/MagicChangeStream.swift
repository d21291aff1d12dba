import MagicEngine
import MagicStore

/// An asynchronous sequence of the changes to a database, with one element for every committed
/// transaction that changed the observed objects.
///
/// The stream records commits from its creation on. The element of a write is available before the
/// call that wrote returns. Changes that were rolled back, with a transaction or a savepoint, are
/// not published.
///
/// The buffer has the size that the call that created the stream sets. When the buffer is full and
/// another element is added, all buffered elements are merged into one with their combined changes.
/// No row is lost, and the buffer holds each row once.
///
/// A stream has one consumer: two iterators share the elements. The stream ends when its
/// `MagicData` is closed, after all earlier commits were returned, and when the waiting task is
/// cancelled. The stream keeps the database open until it ends, or until the stream and its
/// iterators are released.
public struct MagicChangeStream<Element: Sendable>: AsyncSequence, Sendable {
  private let observation: ObserverRegistration?
  private let element: @Sendable (CommittedChanges) -> Element?

  init(
    _ observation: ObserverRegistration?,
    _ element: @escaping @Sendable (CommittedChanges) -> Element?
  ) {
    self.observation = observation
    self.element = element
  }

  /// Returns an iterator that continues with the first element that was not returned yet.
  public func makeAsyncIterator() -> Iterator {
    Iterator(observation: observation, element: element)
  }

  /// An iterator that waits for the next element.
  public struct Iterator: AsyncIteratorProtocol {
    private let observation: ObserverRegistration?
    private let element: @Sendable (CommittedChanges) -> Element?

    init(
      observation: ObserverRegistration?,
      element: @escaping @Sendable (CommittedChanges) -> Element?
    ) {
      self.observation = observation
      self.element = element
    }

    /// Returns the next element; nil at the end.
    public mutating func next() async -> Element? {
      guard let observation else { return nil }
      while let changes = await observation.observer.next() {
        if let element = element(changes) { return element }
      }
      return nil
    }
  }
}

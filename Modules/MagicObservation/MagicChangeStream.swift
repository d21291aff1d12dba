import MagicEngine
import MagicStore

/// An asynchronous sequence of the changes to a database, with one element for every committed
/// transaction that changed the observed objects.
///
/// ```swift
/// for await changes in magic.changes(of: Person.self, columns: \.$name, \.$age) {
///   print(changes.updated.count)
/// }
/// ```
///
/// The stream records commits from its creation on. The element of a write is available before the
/// call that wrote returns. Changes of a transaction or savepoint that was rolled back are not
/// published.
///
/// The capacity of the buffer is a parameter of the call that creates the stream. When the buffer
/// is full and another element is added, all buffered elements are merged into one with their
/// combined changes. No changed row is lost, and the merged element contains each row once.
///
/// A stream has one consumer: two iterators share the elements. The stream ends when its
/// `MagicData` is closed, after all earlier commits were returned. It also ends when the task that
/// waits for an element is cancelled. The stream keeps the database open until it ends, or until
/// the stream and its iterators no longer exist.
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

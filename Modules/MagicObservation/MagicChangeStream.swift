import MagicEngine
import MagicStore

/// The changes of a database, one element for every committed transaction that changed what is
/// observed.
///
/// It hears of commits from the moment it was made, and has the element of a write before the call
/// that wrote returns. Nothing of what was rolled back comes, be it a transaction or a part of one.
///
/// So many elements wait at most as the call that made it says. One more, and all that wait become one,
/// which says what they come to together: no row is forgotten, and memory holds each row once.
///
/// It is for one consumer: two that iterate share the elements. It ends when its `MagicData` is closed,
/// after what was committed by then, and when the task that waits for it is cancelled. Until it
/// ends, or is let go of with its iterators, it keeps the database open.
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

  /// Goes on with the element that was not taken yet.
  public func makeAsyncIterator() -> Iterator {
    Iterator(observation: observation, element: element)
  }

  /// Waits for the next element.
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

    /// The next element; nil at the end.
    public mutating func next() async -> Element? {
      guard let observation else { return nil }
      while let changes = await observation.observer.next() {
        if let element = element(changes) { return element }
      }
      return nil
    }
  }
}

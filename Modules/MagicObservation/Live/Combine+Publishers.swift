// Not built on Linux, where the tests run.
#if canImport(Combine)
  public import Combine

  extension MagicChangeStream {
    /// A publisher of the elements, which respects the demand of its subscriber. Like the stream,
    /// the publisher has one subscriber; use `share()` for several.
    public var publisher: AnyPublisher<Element, Never> {
      SequencePublisher(base: self).catch { _ in Empty() }.eraseToAnyPublisher()
    }
  }

  extension MagicValues {
    /// A publisher of the results, which respects the demand of its subscriber. Each subscriber
    /// runs its own reads.
    public var publisher: AnyPublisher<Value, any Error> {
      SequencePublisher(base: self).eraseToAnyPublisher()
    }
  }

  private struct SequencePublisher<Base: AsyncSequence & Sendable>: Publisher
  where Base.Element: Sendable {
    typealias Output = Base.Element
    typealias Failure = any Error

    let base: Base

    func receive<Target: Subscriber>(subscriber: Target)
    where Target.Input == Output, Target.Failure == Failure {
      let target = SequenceTarget<Output>(
        receive: { subscriber.receive($0).max },
        complete: { subscriber.receive(completion: $0.map { .failure($0) } ?? .finished) })
      subscriber.receive(subscription: SequenceSubscription(base, target))
    }
  }

  /// The closures of a subscriber. They are called from any thread, but never concurrently.
  private struct SequenceTarget<Element>: @unchecked Sendable {
    /// Delivers an element. Returns the additional demand; nil if it is unlimited.
    let receive: (Element) -> Int?
    let complete: ((any Error)?) -> Void
  }

  private final class SequenceSubscription: Subscription {
    private let requests: AsyncStream<Int?>.Continuation
    private let task: Task<Void, Never>

    init<Base: AsyncSequence & Sendable>(_ base: Base, _ target: SequenceTarget<Base.Element>)
    where Base.Element: Sendable {
      let (demands, requests) = AsyncStream<Int?>.makeStream()
      self.requests = requests
      task = Task {
        // The remaining demand; nil if it is unlimited.
        var wanted: Int? = 0
        func add(_ more: Int?) { wanted = more.flatMap { more in wanted.map { $0 + more } } }
        var demand = demands.makeAsyncIterator()
        var elements = base.makeAsyncIterator()
        do {
          while true {
            while wanted == 0 {
              guard let more = await demand.next() else { return }
              add(more)
            }
            guard let element = try await elements.next(), !Task.isCancelled else { break }
            wanted = wanted.map { $0 - 1 }
            add(target.receive(element))
          }
          if !Task.isCancelled { target.complete(nil) }
        } catch {
          if !Task.isCancelled { target.complete(error) }
        }
      }
    }

    func request(_ demand: Subscribers.Demand) { requests.yield(demand.max) }

    func cancel() {
      task.cancel()
      requests.finish()
    }
  }
#endif

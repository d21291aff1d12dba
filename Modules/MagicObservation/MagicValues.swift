import MagicEngine
import MagicQuery
import MagicSchema
import MagicStore

/// The results of a read: what it finds now, and then again after every commit that could have
/// changed it.
///
/// Whether a commit could have changed it is decided by what the commit changed: tables, columns of
/// updated rows, and for the objects of a query also which rows these are. What a body of reads looks
/// at is recorded each time it runs.
///
/// A result that is equal to the last one is not given again. Compared are the statements and the bytes
/// of the columns that the read found, and then, of a body whose result is `Equatable`, the results.
/// Commits that are made while the consumer is busy yield one result, the newest, so results do not
/// accumulate.
///
/// Each iterator reads for itself. It ends when the `MagicData` is closed and when its task is
/// cancelled, and after an error, which it throws. Until then it keeps the database open.
public struct MagicValues<Value: Sendable>: AsyncSequence, Sendable {
  /// A result.
  public typealias Element = Value

  private let makeRequest: @Sendable () throws -> AnyReadRequest<Value>
  private let source: any AsyncMagicDatabaseReader & ObservableMagicDatabase
  private let areEqual: (@Sendable (Value, Value) -> Bool)?

  /// - Parameter areEqual: compares results whose columns are not equal. Default: such results are not
  ///   equal.
  init<Request: ReadRequest<Value>>(
    of source: any AsyncMagicDatabaseReader & ObservableMagicDatabase,
    areEqual: (@Sendable (Value, Value) -> Bool)? = nil,
    _ makeRequest: @escaping @Sendable () throws -> Request
  ) {
    self.makeRequest = { AnyReadRequest(try makeRequest()) }
    self.source = source
    self.areEqual = areEqual
  }

  /// Begins with the result of the moment it is first asked.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, areEqual: areEqual, makeRequest: makeRequest)
  }

  /// Reads, compares and waits.
  public struct Iterator: AsyncIteratorProtocol {
    private let makeRequest: @Sendable () throws -> AnyReadRequest<Value>
    private var source: (any AsyncMagicDatabaseReader & ObservableMagicDatabase)?
    private var tracked: TrackedRead<Value>?
    /// Registered while the first read waits for a database that is suspended.
    private var resumption: ObserverRegistration?
    /// Names the result that was last given.
    private(set) var last: ResultDigest.Value?
    private let areEqual: (@Sendable (Value, Value) -> Bool)?
    /// The result that was last given, where results are compared.
    private var lastValue: Value?

    init(
      source: any AsyncMagicDatabaseReader & ObservableMagicDatabase,
      areEqual: (@Sendable (Value, Value) -> Bool)?,
      makeRequest: @escaping @Sendable () throws -> AnyReadRequest<Value>
    ) {
      self.source = source
      self.areEqual = areEqual
      self.makeRequest = makeRequest
    }

    /// The next result that is not equal to the last one; nil at the end.
    ///
    /// - Throws: `MagicError`: what the read throws; `.closed` for a database that was closed
    ///   before the first result.
    public mutating func next() async throws -> Value? {
      guard let source else { return nil }
      do {
        while !Task.isCancelled {
          if let tracked {
            guard await tracked.change() else { break }
          } else {
            do {
              tracked = try await TrackedRead(try makeRequest(), in: source)
              resumption = nil
            } catch let error as MagicError where error.code == .suspended {
              guard await isResumed(source) else { break }
              continue
            }
          }
          guard let tracked else { break }
          let (value, digest): (Value, ResultDigest.Value)
          do {
            (value, digest) = try await tracked.value(source)
          } catch let error as MagicError where error.code == .suspended {
            // It is notified when it is resumed, as others may have written meanwhile.
            continue
          }
          guard digest != last else { continue }
          last = digest
          guard let areEqual else { return value }
          if let lastValue, areEqual(lastValue, value) { continue }
          lastValue = value
          return value
        }
      } catch {
        let hasBegun = last != nil
        end()
        if error is CancellationError { return nil }
        if hasBegun, (error as? MagicError)?.code == .closed { return nil }
        throw error
      }
      end()
      return nil
    }

    /// Waits until the database may have been resumed: its observers are notified then.
    ///
    /// - Returns: false at the end.
    private mutating func isResumed(_ source: any ObservableMagicDatabase) async -> Bool {
      guard let resumption else {
        // It may have been resumed before the observer was registered.
        let observer = ChangeObserver(ObservationFilter(), capacity: 1) { $0 }
        resumption = ObserverRegistration(observer, in: source)
        return true
      }
      return await resumption.observer.next() != nil
    }

    /// Releases the database.
    private mutating func end() {
      source = nil
      resumption = nil
      tracked = nil
      lastValue = nil
    }
  }
}

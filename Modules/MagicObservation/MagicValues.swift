import MagicEngine
import MagicQuery
import MagicSchema
import MagicStore

/// An asynchronous sequence of the results of a read: the current result, and then a new result
/// after every commit that could have changed it.
///
/// ```swift
/// for try await people in magic.query(Person.self).where(\.$age >= 18).values() {
///   print(people.count)
/// }
/// ```
///
/// Whether a commit could have changed the result depends on the tables that it changed and, for
/// updated rows, on the columns. For the objects of a query, it also depends on the row IDs. For a
/// closure of reads, the tables and columns that it reads are recorded each time it runs.
///
/// A result that equals the last one is not returned again. First the statements and the bytes of
/// the columns that the read returned are compared. For a closure with an `Equatable` result, the
/// results are compared next. If several commits are made before the consumer requests the next
/// result, it receives only the newest result, so results do not accumulate.
///
/// Each iterator runs its own reads. An iterator ends when the `MagicData` is closed, when its task
/// is cancelled, and after an error, which it throws. Until then it keeps the database open.
public struct MagicValues<Value: Sendable>: AsyncSequence, Sendable {
  /// A result.
  public typealias Element = Value

  private let makeRequest: @Sendable () throws -> AnyReadRequest<Value>
  private let source: any AsyncMagicDatabaseReader & ObservableMagicDatabase
  private let areEqual: (@Sendable (Value, Value) -> Bool)?

  /// - Parameter areEqual: compares two results whose digests differ. Default: such results are not
  ///   equal.
  package init<Request: ReadRequest<Value>>(
    of source: any AsyncMagicDatabaseReader & ObservableMagicDatabase,
    areEqual: (@Sendable (Value, Value) -> Bool)? = nil,
    _ makeRequest: @escaping @Sendable () throws -> Request
  ) {
    self.makeRequest = { AnyReadRequest(try makeRequest()) }
    self.source = source
    self.areEqual = areEqual
  }

  /// Returns an iterator. Its first result is read at the first call of `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, areEqual: areEqual, makeRequest: makeRequest)
  }

  /// An iterator that waits for commits, reads the result and compares it with the last one.
  public struct Iterator: AsyncIteratorProtocol {
    private let makeRequest: @Sendable () throws -> AnyReadRequest<Value>
    private var source: (any AsyncMagicDatabaseReader & ObservableMagicDatabase)?
    private var tracked: TrackedRead<Value>?
    /// The observer that is registered while the first read waits for a suspended database.
    private var resumption: ObserverRegistration?
    /// The digest of the last result.
    private(set) var last: ResultDigest.Value?
    private let areEqual: (@Sendable (Value, Value) -> Bool)?
    /// The last result that was returned, if results are compared.
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

    /// Returns the next result that is not equal to the last one; nil at the end.
    ///
    /// - Throws: `MagicError`: the errors of the read, and `.closed` if the database was closed
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
            // The observer is notified when the database is resumed, because other processes may
            // have written while it was suspended.
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

    /// Waits until the database may have been resumed, which notifies its observers.
    ///
    /// - Returns: false if the database was closed or the task was cancelled.
    private mutating func isResumed(_ source: any ObservableMagicDatabase) async -> Bool {
      guard let resumption else {
        // The database may have been resumed before the observer was registered, so the first call
        // does not wait.
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

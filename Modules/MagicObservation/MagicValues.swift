import MagicQuery
import MagicSchema
import MagicStore

/// The results of a read: what it finds now, and then again after every commit that could have
/// changed it.
///
/// Whether one could have is said by what it changed: the tables, the columns of updated rows, and for
/// the objects of a query also which rows they are. Of a body of reads, what it looks at is recorded
/// each time it runs. Where the read is made again and finds what it
/// found before, byte for byte, nothing comes. Commits that are made while the consumer is busy come to
/// one result, the newest; so nothing piles up.
///
/// Each iterator reads for itself. It ends when the `MagicData` is closed and when its task is
/// cancelled, and after an error, which it throws. It keeps the database open as long.
public struct MagicValues<Value: Sendable>: AsyncSequence, Sendable {
  /// A result.
  public typealias Element = Value

  private let makeRequest: @Sendable () throws -> AnyReadRequest<Value>
  private let source: any AsyncDatabaseReader & ObservableDatabase

  init<Request: ReadRequest<Value>>(
    of source: any AsyncDatabaseReader & ObservableDatabase,
    _ makeRequest: @escaping @Sendable () throws -> Request
  ) {
    self.makeRequest = { AnyReadRequest(try makeRequest()) }
    self.source = source
  }

  /// Begins with the result of the moment it is first asked.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, makeRequest: makeRequest)
  }

  /// Reads, compares and waits.
  public struct Iterator: AsyncIteratorProtocol {
    private let makeRequest: @Sendable () throws -> AnyReadRequest<Value>
    private var source: (any AsyncDatabaseReader & ObservableDatabase)?
    private var tracked: TrackedRead<Value>?
    /// Names the result that was last given.
    private(set) var last: ResultDigest.Value?

    init(
      source: any AsyncDatabaseReader & ObservableDatabase,
      makeRequest: @escaping @Sendable () throws -> AnyReadRequest<Value>
    ) {
      self.source = source
      self.makeRequest = makeRequest
    }

    /// The next result that is another than the one before; nil at the end.
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
            tracked = try await TrackedRead(try makeRequest(), in: source)
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

    /// Releases the database.
    private mutating func end() {
      source = nil
      tracked = nil
    }
  }
}

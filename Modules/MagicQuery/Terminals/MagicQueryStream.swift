import MagicEngine
import MagicGraph
public import MagicSchema
public import MagicStore

extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// Returns the objects as an asynchronous sequence, which reads pages of at most 512 rows.
  ///
  /// Each page is read from its own snapshot, and no connection is held between pages. An object
  /// that matches the query during the whole iteration, and whose values in the sort order do not
  /// change, is returned exactly once. The rows of `descendants` and `ancestors` are those of the first
  /// page's snapshot, of which the row IDs are kept: 8 bytes for each row. A query in random order cannot be read in pages: the first
  /// call of `next()` throws `.invalidQuery`.
  public func stream() -> MagicQueryStream<Model, Source> {
    MagicQueryStream(plan: plan, loading: loading, source: source)
  }
}

/// The objects of a query, read page by page on demand.
///
/// ```swift
/// let people = magic.query(Person.self)
///
/// for try await person in people.order(by: \.$name).stream() { print(person.name) }
/// ```
public struct MagicQueryStream<Model: MagicObject, Source: AsyncMagicDatabaseReader>: AsyncSequence,
  Sendable
{
  /// An object.
  public typealias Element = Model

  let plan: QueryDescription
  let loading: RelationshipLoading
  let source: Source

  /// Returns an iterator that starts at the first row.
  public func makeAsyncIterator() -> Iterator {
    Iterator(pages: QueryPages(plan), loading: loading, source: source)
  }

  /// An iterator that reads the next page when all objects of the previous page were returned.
  public struct Iterator: AsyncIteratorProtocol {
    private var pages: QueryPages
    private let loading: RelationshipLoading
    private let source: Source
    @usableFromInline var page = ElementPage<Model>()

    init(pages: QueryPages, loading: RelationshipLoading, source: Source) {
      self.pages = pages
      self.loading = loading
      self.source = source
    }

    /// Returns the next object; nil at the end.
    ///
    /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled, after at most seven
    ///   objects that were read before.
    @inlinable
    public mutating func next() async throws -> Model? {
      try page.checkCancellation()
      if let element = page.next() { return element }
      page = ElementPage(try await readPage(isolation: #isolation))
      return page.next()
    }

    /// Returns the next object; nil at the end. Does not switch executors unless a page is read.
    @inlinable @inline(__always)
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Model? {
      try page.checkCancellation()
      if let element = page.next() { return element }
      page = ElementPage(try await readPage(isolation: actor))
      return page.next()
    }

    @usableFromInline
    mutating func readPage(isolation actor: isolated (any Actor)?) async throws -> [Model] {
      page = ElementPage()
      guard !pages.isAtEnd else { return [] }
      let (objects, rest) = try await source._read { [pages, loading] in
        var rest = pages
        return (try $0.reader.nextPage(of: Model.self, &rest, loading), rest)
      }
      pages = rest
      return objects
    }
  }
}

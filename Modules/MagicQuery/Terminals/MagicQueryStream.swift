import MagicEngine
import MagicGraph
public import MagicSchema
public import MagicStore

extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// The objects one after the other, read in pages of at most 512 rows.
  ///
  /// Each page is a snapshot of its own, and no reader is held between pages. An object that fits
  /// throughout and keeps its place in the order comes exactly once. A random order cannot be
  /// read in pages: the first element is `.invalidQuery` then.
  public func stream() -> MagicQueryStream<Model, Source> {
    MagicQueryStream(plan: plan, source: source)
  }
}

/// The objects of a query, read page by page as they are asked for.
public struct MagicQueryStream<Model: MagicObject, Source: AsyncMagicDatabaseReader>: AsyncSequence,
  Sendable
{
  /// An object.
  public typealias Element = Model

  let plan: QueryDescription
  let source: Source

  /// Begins with the first row.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: QueryPages(plan), source: source) }

  /// Reads the next page when the one before is used up.
  public struct Iterator: AsyncIteratorProtocol {
    private var pages: QueryPages
    private let source: Source
    @usableFromInline var page = ElementPage<Model>()

    init(pages: QueryPages, source: Source) {
      self.pages = pages
      self.source = source
    }

    /// The next object; nil at the end.
    ///
    /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
    @inlinable
    public mutating func next() async throws -> Model? {
      try Task.checkCancellation()
      if let element = page.next() { return element }
      page = ElementPage(try await readPage(isolation: #isolation))
      return page.next()
    }

    /// The same without a change of executors while there are elements at hand.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Model? {
      try Task.checkCancellation()
      if let element = page.next() { return element }
      page = ElementPage(try await readPage(isolation: actor))
      return page.next()
    }

    @usableFromInline
    mutating func readPage(isolation actor: isolated (any Actor)?) async throws -> [Model] {
      page = ElementPage()
      guard let query = try pages.next(Model.self) else { return [] }
      let (objects, last) = try await source._read {
        try $0.reader.page(of: Model.self, query)
      }
      pages.note(count: objects.count, last: last)
      return objects
    }
  }
}

import MagicEngine
import MagicSchema
public import MagicStore

/// The members of a collection, read in pages on demand.
///
/// ```swift
/// for try await song in try library.collected.createAsyncStream() {
///   print(song.title)  // at most one page of 512 members in memory
/// }
/// ```
///
/// Each page has at most 512 members and a snapshot of its own. No reader is occupied between
/// pages. Members that remain in the collection during the iteration are returned exactly once,
/// even if other writers insert and remove members.
///
/// To guarantee this for a list, the stream stores the positions of the last 65,536 members that it
/// has returned, in 1 MiB of memory. Members of a list can be repeated or missed in one case:
/// between two pages, inserts move more members than these, and in addition the list contains
/// members several times or other writers change its order.
public struct MagicMemberStream<Element: Sendable>: AsyncSequence, Sendable {
  typealias Page = (elements: [Element], cursor: MemberCursor?)

  /// Reads the next page.
  private let read: @Sendable (MemberCursor?) async throws -> Page

  init(_ read: @escaping @Sendable (MemberCursor?) async throws -> Page) { self.read = read }

  /// Creates an iterator that starts at the first member.
  public func makeAsyncIterator() -> Iterator { Iterator(read: read) }

  /// Reads the next page when all members of the current page were returned.
  public struct Iterator: AsyncIteratorProtocol {
    private let read: @Sendable (MemberCursor?) async throws -> Page
    @usableFromInline var page = ElementPage<Element>()
    private var cursor: MemberCursor?
    private var isAtEnd = false

    init(read: @escaping @Sendable (MemberCursor?) async throws -> Page) { self.read = read }

    /// Returns the next member, or nil at the end.
    ///
    /// - Throws: `MagicError`, with `.closed` if the database is closed, and `CancellationError` in
    ///   a cancelled task, after at most seven members that were read before.
    @inlinable
    public mutating func next() async throws -> Element? {
      try page.checkCancellation()
      if let element = page.next() { return element }
      page = ElementPage(try await readPage(isolation: #isolation))
      return page.next()
    }

    /// Returns the next member, or nil at the end. Does not switch executors unless a page is read.
    @inlinable @inline(__always)
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Element? {
      try page.checkCancellation()
      if let element = page.next() { return element }
      page = ElementPage(try await readPage(isolation: actor))
      return page.next()
    }

    @usableFromInline
    mutating func readPage(isolation actor: isolated (any Actor)?) async throws -> [Element] {
      while !isAtEnd {
        // The current page is released before the next one is read.
        page = ElementPage()
        let (elements, cursor) = try await read(cursor)
        self.cursor = cursor
        isAtEnd = cursor == nil
        if !elements.isEmpty { return elements }
      }
      return []
    }
  }
}

extension AsyncMagical {
  /// Creates a stream of the members in order, with bounded memory. The stream is empty if the
  /// property is nil or the owner no longer exists.
  ///
  /// - Throws: `MagicError` with `.missingValue` if the property never had a value.
  public func createAsyncStream<Element: MagicObject>() throws -> MagicMemberStream<Element>
  where Content == [Element] {
    try stream { $0.objects }
  }

  /// Creates a stream of the members, with bounded memory. The stream is empty if the property is
  /// nil or the owner no longer exists.
  ///
  /// - Throws: `MagicError` with `.missingValue` if the property never had a value.
  public func createAsyncStream<Element: MagicObject>() throws -> MagicMemberStream<Element>
  where Content == MagicalSet<Element> {
    try stream { $0.objects }
  }

  /// Creates a stream of the members with their keys, with bounded memory. The stream is empty if
  /// the property is nil or the owner no longer exists.
  ///
  /// - Throws: `MagicError` with `.missingValue` if the property never had a value.
  public func createAsyncStream<Key, Value: MagicObject>() throws
    -> MagicMemberStream<(key: Key, value: Value)>
  where Content == [Key: Value], Key: Codable & Sendable {
    try stream { $0.pairs(Content.self) }
  }
}

extension AsyncMagical where Content: ObjectCollection {
  private func stream<Element: Sendable>(
    _ elements: @escaping @Sendable (FetchedMembers<Content.Member>) -> [Element]
  ) throws -> MagicMemberStream<Element> {
    switch try resolve() {
    case .content(let content):
      let (members, keys) = content.membersAndKeys
      let all = FetchedMembers(objects: members, keys: keys)
      return MagicMemberStream { _ in (elements(all), nil) }
    case .unavailable: return MagicMemberStream { _ in ([], nil) }
    case .row(let row, let lease, let edits):
      let edits = edits.of(Content.Member.self)
      return MagicMemberStream { cursor in
        let (members, cursor) = try await reading(row, lease) {
          if let edits { return try $0.page(of: row, applying: edits, after: cursor) }
          return try $0.page(of: row, as: Content.Member.self, after: cursor)
        }
        return (elements(members), cursor)
      }
    }
  }
}

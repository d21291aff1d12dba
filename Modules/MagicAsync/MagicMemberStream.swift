import MagicEngine
import MagicSchema
public import MagicStore

/// The members of a collection, read page by page as they are asked for.
///
/// Each page is of at most 512 members and a snapshot of its own; no reader is held between pages.
/// Members that are there throughout come exactly once, whatever others insert and remove.
///
/// Of a list the places of the last 65,536 members are kept for this, 1 MiB. Where inserts between
/// two pages move more members than these that were read, and the list has members twice or others
/// change their order, members may come again or be missed.
public struct MagicMemberStream<Element: Sendable>: AsyncSequence, Sendable {
  typealias Page = (elements: [Element], cursor: MemberCursor?)

  /// Reads the members behind those that were read.
  private let read: @Sendable (MemberCursor?) async throws -> Page

  init(_ read: @escaping @Sendable (MemberCursor?) async throws -> Page) { self.read = read }

  /// Begins with the first member.
  public func makeAsyncIterator() -> Iterator { Iterator(read: read) }

  /// Reads the next page when the one before is used up.
  public struct Iterator: AsyncIteratorProtocol {
    private let read: @Sendable (MemberCursor?) async throws -> Page
    @usableFromInline var page = ElementPage<Element>()
    private var cursor: MemberCursor?
    private var isAtEnd = false

    init(read: @escaping @Sendable (MemberCursor?) async throws -> Page) { self.read = read }

    /// The next member; nil at the end.
    ///
    /// - Throws: `MagicError`, with `.closed` where the database is closed, and `CancellationError`
    ///   in a cancelled task.
    @inlinable
    public mutating func next() async throws -> Element? {
      try Task.checkCancellation()
      if let element = page.next() { return element }
      page = ElementPage(try await readPage(isolation: #isolation))
      return page.next()
    }

    /// The same without a change of executors while there are elements at hand.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Element? {
      try Task.checkCancellation()
      if let element = page.next() { return element }
      page = ElementPage(try await readPage(isolation: actor))
      return page.next()
    }

    @usableFromInline
    mutating func readPage(isolation actor: isolated (any Actor)?) async throws -> [Element] {
      while !isAtEnd {
        // The page before ends before the next one is read.
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
  /// The members in order, one after the other, with bounded memory. None where the owner is gone.
  ///
  /// - Throws: `MagicError` with `.missingValue` where there never was a value.
  public func createAsyncStream<Element: MagicObject>() throws -> MagicMemberStream<Element>
  where Content == [Element] {
    try stream { $0.objects }
  }

  /// The members one after the other, with bounded memory. None where the owner is gone.
  ///
  /// - Throws: `MagicError` with `.missingValue` where there never was a value.
  public func createAsyncStream<Element: MagicObject>() throws -> MagicMemberStream<Element>
  where Content == MagicalSet<Element> {
    try stream { $0.objects }
  }

  /// The members with their keys, one after the other, with bounded memory. None where the owner is
  /// gone.
  ///
  /// - Throws: `MagicError` with `.missingValue` where there never was a value.
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
    switch try find() {
    case .content(let content):
      let (members, keys) = content.membersAndKeys
      let all = FetchedMembers(objects: members, keys: keys)
      return MagicMemberStream { _ in (elements(all), nil) }
    case .gone: return MagicMemberStream { _ in ([], nil) }
    case .row(let row, let lease):
      return MagicMemberStream { cursor in
        let (members, cursor) = try await reading(row, lease) {
          try $0.page(of: row, as: Content.Member.self, behind: cursor)
        }
        return (elements(members), cursor)
      }
    }
  }
}

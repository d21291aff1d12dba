import MagicEngine
import MagicGraph
public import MagicSchema
public import MagicStore

/// The objects that refer to one object along a relationship, asked of the database whenever they
/// are needed.
///
/// ```swift
/// for try await playlist in song.playlists { print(playlist.name) }
/// let count = try await song.playlists.count
/// ```
///
/// An owner that comes while the set is read, behind those that were read, is read as well: a loop
/// that adds one each round does not end.
///
/// It is empty for an object that is not saved. An index answers, whatever the size of the tables.
/// It cannot be set.
public struct AsyncReverseMagicSet<Element: MagicObject>: AsyncSequence, Sendable {
  private let target: RowIdentity?
  private let relationship: any ReverseRelationship

  init(of target: RowIdentity?, along relationship: any ReverseRelationship) {
    self.target = target
    self.relationship = relationship
  }

  /// How many objects refer to this one now; one that refers to it twice counts once.
  ///
  /// - Throws: `MagicError`, with `.closed` where the object's database is closed, and
  ///   `CancellationError`.
  /// - Complexity: O(log n + k) in all links and those found: one query of an index.
  public var count: Int {
    get async throws {
      guard let target else { return 0 }
      try Task.checkCancellation()
      let (owner, property) = try relationship.resolved()
      return try await OpenDatabases.shared.database(of: target).reading {
        try $0.countOwners(of: target.zIndex, along: property, owner)
      }
    }
  }

  /// Reads from the first object.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(target: target, relationship: relationship)
  }

  /// Reads the objects in z-index order, up to 512 at a time, each time on a snapshot of its own.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private static var pageSize: Int { 512 }

    private let target: RowIdentity?
    private let relationship: any ReverseRelationship
    @usableFromInline var page = ElementPage<Element>()
    private var last: Int64?
    private var isAtEnd = false

    init(target: RowIdentity?, relationship: any ReverseRelationship) {
      self.target = target
      self.relationship = relationship
      isAtEnd = target == nil
    }

    /// The next object; nil at the end.
    ///
    /// - Throws: `MagicError`, with `.closed` where the object's database is closed, and
    ///   `CancellationError`.
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
      guard !isAtEnd, let target else { return [] }
      let (owner, property) = try relationship.resolved()
      let behind = last
      let (owners, isPart) = try await OpenDatabases.shared.database(of: target).reading {
        try $0.owners(
          Element.self, owner, of: target.zIndex, along: property, after: behind,
          limit: Self.pageSize)
      }
      last = owners.last?.rowIdentity?.zIndex.rawValue
      isAtEnd = !isPart
      return owners
    }
  }
}

extension AsyncReverseMagicSet: CustomStringConvertible {
  /// The owners' type: the owners themselves are in the database.
  public var description: String { "AsyncReverseMagicSet<\(Element.self)>" }
}

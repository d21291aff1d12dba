import MagicEngine
import MagicGraph
public import MagicSchema
public import MagicStore

/// The objects that refer to one object through a relationship. They are fetched when they are
/// read.
///
/// ```swift
/// for try await playlist in song.playlists { print(playlist.name) }
/// let count = try await song.playlists.count
/// ```
///
/// The objects are read in ascending order of row IDs. An object that is inserted during the
/// iteration, with a higher row ID than the objects that were read, is read as well. Therefore a
/// loop that inserts one such object in each iteration does not end.
///
/// The set is empty for an unsaved object. The objects are found with an index, not with a scan of
/// the table. ``insert(_:)`` and ``remove(_:)`` change the relationship of an object, with the next
/// save.
public struct AsyncReverseMagicSet<Element: MagicObject>: AsyncSequence, Sendable {
  let target: RowIdentity?
  /// Nil for a set that is empty because it is of no object.
  let relationship: (any ReverseRelationship)?
  /// The property that has the set.
  let reference: PropertyReference?

  init(
    of target: RowIdentity?, along relationship: (any ReverseRelationship)?,
    _ reference: PropertyReference?
  ) {
    self.target = target
    self.reference = reference
    self.relationship = relationship
  }

  /// The current number of objects that refer to this one. An object that refers to it twice counts
  /// once.
  ///
  /// - Throws: `MagicError`, with `.closed` if the database of the object is closed, and
  ///   `CancellationError`.
  /// - Complexity: O(log n + k) for n references and k results: one query of an index.
  public var count: Int {
    get async throws {
      guard let target, let relationship else { return 0 }
      try Task.checkCancellation()
      let (owner, property) = try relationship.resolved()
      return try await OpenDatabases.shared.database(of: target).reading {
        try $0.countOwners(of: target.zIndex, along: property, owner)
      }
    }
  }

  /// Creates an iterator that begins at the first object.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(target: target, relationship: relationship)
  }

  /// Reads the objects in ascending order of row IDs, up to 512 at a time, each time from a new
  /// snapshot.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private static var pageSize: Int { 512 }

    private let target: RowIdentity?
    private let relationship: (any ReverseRelationship)?
    @usableFromInline var page = ElementPage<Element>()
    private var last: Int64?
    private var isAtEnd = false

    init(target: RowIdentity?, relationship: (any ReverseRelationship)?) {
      self.target = target
      self.relationship = relationship
      isAtEnd = target == nil
    }

    /// Returns the next object; nil at the end.
    ///
    /// - Throws: `MagicError`, with `.closed` if the database of the object is closed, and
    ///   `CancellationError`, after at most seven objects that were read before.
    @inlinable
    public mutating func next() async throws -> Element? {
      try page.checkCancellation()
      if let element = page.next() { return element }
      page = ElementPage(try await readPage(isolation: #isolation))
      return page.next()
    }

    /// Returns the next object; nil at the end. Does not switch executors unless a page is read.
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
      guard !isAtEnd, let target, let relationship else { return [] }
      let (owner, property) = try relationship.resolved()
      let previous = last
      let owners = try await OpenDatabases.shared.database(of: target).reading {
        try $0.owners(
          owner, of: target.zIndex, along: property, after: previous, limit: Self.pageSize)
      }
      last = owners.last
      isAtEnd = !owners.isPart
      return owners.makeObjects(Element.self, owner)
    }
  }
}

extension AsyncReverseMagicSet: ExpressibleByArrayLiteral {
  /// Creates the empty set: `song?.playlists ?? []`. The literal has no elements, because only saved
  /// objects are members.
  public init(arrayLiteral elements: Never...) { self.init(of: nil, along: nil, nil) }
}

extension AsyncReverseMagicSet: CustomStringConvertible {
  /// The type of the objects. The objects themselves are in the database.
  public var description: String { "AsyncReverseMagicSet<\(Element.self)>" }
}

package import MagicSchema

/// The fetched join rows of a collection. The rows of the members are fetched later.
@usableFromInline
package struct FetchedLinks {
  /// A join row.
  @frozen @usableFromInline
  package struct Link {
    @usableFromInline package let owner: Int64
    @usableFromInline package let target: Int64
    /// The position in a list.
    @usableFromInline package let position: Int64

    @inlinable
    package init(owner: Int64, target: Int64, position: Int64) {
      self.owner = owner
      self.target = target
      self.position = position
    }
  }

  /// The index of the collection in its type.
  @usableFromInline package let collection: Int
  package let column: CollectionColumn
  @usableFromInline package internal(set) var links: [Link] = []
  /// The keys of a dictionary.
  package let keys: (any LinkKeys)?

  package init(_ collection: Int, of schema: ObjectSchema) {
    self.collection = collection
    column = schema.collections[collection]
    keys = column.makeKeys()
    links.reserveCapacity(16)
  }

  @inlinable
  package mutating func append(_ link: Link) { links.append(link) }

  /// Returns the members of the join rows from an index on.
  package func targets(from index: Int, where isWanted: (Int64) -> Bool) -> RowIDSet {
    var targets: [Int64] = []
    targets.reserveCapacity(links.count - index)
    for link in links[index...] where isWanted(link.target) { targets.append(link.target) }
    return RowIDSet(targets)
  }
}

/// The links of fetched or saved collections, one owner's links after another's. A link is a join
/// row in memory: the reference from a collection to one of its members.
///
package final class LinkList: @unchecked Sendable {
  /// Creates the collections.
  private let maker: any CollectionMaker
  /// The type of the members.
  package let memberType: _TypeLayout
  /// The row IDs of the members.
  @exclusivity(unchecked) package var targets: [Int64] = []
  /// The fetched rows of the members, which the owner's chunk retains; empty for a collection that
  /// was saved.
  @exclusivity(unchecked) package var rows: [PackedRow] = []
  /// The positions of the members of lists, as stored in the join table.
  @exclusivity(unchecked) package var positions: [Int64] = []
  /// The keys of the members of dictionaries.
  package let keys: (any LinkKeys)?
  /// Whether the members refer to no other objects, so that releasing the collection needs no
  /// protection from deep recursion.
  package let isFlat: Bool
  private let isOrdered: Bool
  /// Whether owners and members are stored in the same ``RowGraph``.
  package let staysInGraph: Bool

  package init(
    of memberType: _TypeLayout, madeBy maker: any CollectionMaker, kind: LinkKind,
    keys: (any LinkKeys)?, isFlat: Bool, staysInGraph: Bool
  ) {
    self.maker = maker
    self.memberType = memberType
    isOrdered = kind == .list
    self.keys = keys
    self.isFlat = isFlat
    self.staysInGraph = staysInGraph
  }

  /// Returns the collection of some links of this list; nil if no collection is created from them.
  func makeValue<Value>(of links: LinkSlice, as type: Value.Type) -> Value? {
    maker.makeValue(of: links, as: type)
  }

  /// Appends a fetched member.
  ///
  /// - Parameter position: the position of the member, in lists.
  package func append(_ row: PackedRow, _ target: Int64, position: Int64) {
    targets.append(target)
    rows.append(row)
    if isOrdered { positions.append(position) }
  }

  /// Reserves capacity for fetched members.
  package func reserveCapacity(_ count: Int) {
    targets.reserveCapacity(count)
    rows.reserveCapacity(count)
    if isOrdered { positions.reserveCapacity(count) }
  }
}

/// The links of one owner's collection.
package struct LinkSlice: Sendable {
  package let list: LinkList
  package let start: Int
  package let count: Int

  package init(_ list: LinkList, start: Int, count: Int) {
    self.list = list
    self.start = start
    self.count = count
  }

  package var range: Range<Int> { start..<start + count }
  package var targets: ArraySlice<Int64> { list.targets[range] }
  /// The fetched rows of the members.
  package var rows: ArraySlice<PackedRow> { list.rows[list.rows.isEmpty ? 0..<0 : range] }
}

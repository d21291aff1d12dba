/// Members of collections as they are in the database: those of one owner behind those of another.
///
/// Subclasses know the collections. That is class dispatch, since each fetched collection asks once.
package class LinkList: @unchecked Sendable {
  /// The members' type.
  final let memberType: TypeLayout
  /// The members' rows, by z-index.
  @exclusivity(unchecked) package final var targets: [Int64] = []
  /// Where they were fetched to, kept by the owner's chunk; none for a collection that was saved.
  @exclusivity(unchecked) package final var rows: [PackedRow] = []
  /// Their places in lists.
  @exclusivity(unchecked) package final var positions: [Int64] = []
  /// Their keys in dictionaries.
  package final let keys: (any LinkKeys)?
  /// Whether members refer to no other objects: what holds them ends without going deep.
  final let isFlat: Bool
  private let isOrdered: Bool
  /// Whether owners and members lie in one ``RowGraph``.
  final let staysInGraph: Bool

  init(
    of memberType: TypeLayout, kind: LinkKind, keys: (any LinkKeys)?, isFlat: Bool,
    staysInGraph: Bool
  ) {
    self.memberType = memberType
    isOrdered = kind == .list
    self.keys = keys
    self.isFlat = isFlat
    self.staysInGraph = staysInGraph
  }

  /// The collection that links of this list are; nil where none is made of them.
  func makeValue<Value>(of links: LinkSlice, as type: Value.Type) -> Value? { nil }

  /// Enters a fetched member.
  ///
  /// - Parameter position: its place, in lists.
  package final func append(_ row: PackedRow, _ target: Int64, position: Int64) {
    targets.append(target)
    rows.append(row)
    if isOrdered { positions.append(position) }
  }

  /// Reserves capacity for fetched members.
  package final func reserveCapacity(_ count: Int) {
    targets.reserveCapacity(count)
    rows.reserveCapacity(count)
    if isOrdered { positions.reserveCapacity(count) }
  }
}

/// The members of one owner's collection.
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
  /// Where the members were fetched to.
  package var rows: ArraySlice<PackedRow> { list.rows[list.rows.isEmpty ? 0..<0 : range] }
}

/// Members of collections as they are in the database: those of one owner behind those of another.
package final class LinkList: @unchecked Sendable {
  package let column: CollectionColumn
  /// The members' type.
  package let target: ObjectSchema
  /// The members' rows, by z-index.
  @exclusivity(unchecked) package var targets: [Int64] = []
  /// Where they were fetched to, kept by the owner's chunk; none for a collection that was saved.
  @exclusivity(unchecked) package var rows: [PackedRow] = []
  /// Their places in lists.
  @exclusivity(unchecked) package var positions: [Int64] = []
  /// Their keys in dictionaries.
  package let keys: (any LinkKeys)?
  /// Whether members lead to no other objects: what holds them ends without going deep.
  let isFlat: Bool

  package init(_ column: CollectionColumn, target: ObjectSchema, keys: (any LinkKeys)?) {
    self.column = column
    self.target = target
    self.keys = keys
    // A type with properties of its own may lead to anything.
    isFlat = target.isDense && target.toOnes.isEmpty && target.collections.isEmpty
  }

  /// Enters a fetched member.
  ///
  /// - Parameter position: its place, in lists.
  package func append(_ row: PackedRow, _ target: Int64, position: Int64) {
    targets.append(target)
    rows.append(row)
    if column.kind == .list { positions.append(position) }
  }

  /// Makes room for fetched members.
  package func reserveCapacity(_ count: Int) {
    targets.reserveCapacity(count)
    rows.reserveCapacity(count)
    if column.kind == .list { positions.reserveCapacity(count) }
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

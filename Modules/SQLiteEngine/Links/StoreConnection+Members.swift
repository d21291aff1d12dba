import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

extension StoreConnection {
  /// Gives one owner the members of a collection, links and rows with one query.
  ///
  /// - Parameter graph: what the members become a part of, where their type can lead back to itself.
  /// - Returns: the members' rows, which the owner's chunk keeps.
  func loadMembers(
    of owner: PackedRow, _ index: Int, _ statements: TypeStatements, _ target: TypeStatements,
    _ graph: RowGraph?
  ) throws -> [RowChunk] {
    let column = statements.schema.collections[index]
    let select = try statements.links[index].selectMembers(target)
    defer { select.reset() }
    try select.bind(owner.zIndex, at: 1)
    let list = CollectionLinks(column, target: target.schema, keys: column.makeKeys())
    list.reserveCapacity(16)
    let width = target.schema.columns.count + 1
    var packer = RowPacker(schema: target.schema, store: self, graph: graph)
    var known = KnownMembers()
    var last: PackedRow?
    var cancellation = CancellationCheck()
    while try select.step() {
      try cancellation.count()
      let zIndex = select.column(0)
      guard !zIndex.isNull else {
        throw try brokenReference(
          from: owner, column, statements.links[index].selectMissing(target))
      }
      let member = zIndex.integer
      let row = try known.row(member, in: list) ?? packer.append(select)
      if last.map({ !$0.isBeside(row) }) ?? true { owner.chunk.keep(row.chunk) }
      last = row
      if let digest {
        digest.add(select, 0..<1)
        digest.add(select, width..<(column.kind == .set ? width : width + 1))
      }
      list.append(row, member, position: column.kind == .list ? select.column(width).integer : 0)
      try list.keys?.append(
        select.column(width), of: column, statements.schema, owner: owner.zIndex)
    }
    let slice = LinkSlice(list, start: 0, count: list.targets.count)
    owner.fill(statements.schema.columns.count + index, column.makeBox(slice))
    return packer.chunks
  }

  /// Finds the member that is not there.
  private func brokenReference(
    from owner: PackedRow, _ column: CollectionColumn, _ select: SQLiteStatement
  ) throws -> MagicError {
    defer { select.reset() }
    try select.bind(owner.zIndex, at: 1)
    let target = try select.step() ? select.column(0).rowKey : nil
    return .brokenReference(from: owner.zIndex, of: owner.chunk.schema, column, to: target)
  }
}

/// Which members of an owner were read: each is one instance, however often it is a member.
private struct KnownMembers {
  private var highest = Int64.min
  private var directory = RowDirectory()
  /// How many of the list are in the directory.
  private var entered = 0

  /// The row of a member that is in a list already; nil where it comes for the first time.
  mutating func row(_ member: Int64, in list: LinkList) -> PackedRow? {
    // Members are most often in the order of their rows, and then need no directory.
    if member > highest {
      highest = member
      return nil
    }
    for row in list.rows[entered...] where directory[row.zIndex] == nil { directory.insert(row) }
    entered = list.rows.count
    return directory[member]
  }
}

import MagicSchema
import MagicSQLite

extension GraphLoader {
  /// Gives the owners' slots of a collection their cells.
  mutating func loadCollection(_ index: Int, of owner: LoadedType) throws {
    let relationship = owner.schema.toOnes.count + index
    let column = owner.schema.collections[index]
    let slot = owner.schema.columns.count + index
    let start = owner.done[relationship]
    let targetSchema = try column.target
    let statements = owner.statements.links[index]

    var links = FetchedLinks(column)
    if statements.exists, let target = try type(targetSchema) {
      // With rows of the type known, a join would ask for some of them again.
      if owner.rows.count - start == 1, target.directory.count == 0 {
        try loadMembers(of: owner.rows[start], slot: slot, column, statements, target)
        owner.done[relationship] = owner.rows.count
        return
      }
      try links.read(
        select(owner.rows[start...], statements), of: column, owner.schema, store.digest,
        isWanted: { zIndex in
          // A range of owners holds others too, which have theirs or get them later.
          owner.directory[zIndex].map { $0.slot(slot).load(as: UInt.self) == 0 } ?? false
        })
      var unknown = links.targets(unknownTo: target)
      if !unknown.isEmpty, target === owner {
        let reached = try statements.selectReached
        try reached.bind(RowList(unknown).json, at: 1)
        try links.read(
          reached, of: column, owner.schema, store.digest,
          isWanted: { target.directory[$0] == nil })
        unknown = links.targets(unknownTo: target)
      }
      if !unknown.isEmpty { try fetch(RowList(unknown), of: target) }
      try join(links, slot: slot, of: owner, to: target)
    }
    try fillEmpty(owner.rows[start...], slot: slot, column, targetSchema)
    owner.done[relationship] = owner.rows.count
  }

  /// Gives one owner its members, links and rows with one query.
  private func loadMembers(
    of owner: PackedRow, slot: Int, _ column: CollectionColumn, _ statements: LinkStatements,
    _ target: LoadedType
  ) throws {
    let select = try statements.selectMembers(target.statements)
    defer { select.reset() }
    try select.bind(owner.zIndex, at: 1)
    let list = LinkList(column, target: target.schema, keys: column.makeKeys())
    list.reserveCapacity(16)
    let width = target.schema.columns.count + 1
    var packer = RowPacker(schema: target.schema, store: store, graph: target.graph)
    var cancellation = CancellationCheck()
    while try select.step() {
      try cancellation.count()
      let member = select.column(width).integer
      var found = target.directory[member]
      if found == nil {
        guard !select.column(0).isNull else {
          throw brokenReference(from: owner, column, to: member)
        }
        let row = try packer.append(select)
        target.add(row, in: packer.chunks)
        found = row
      }
      guard let found else { continue }
      if list.rows.last.map({ !$0.isBeside(found) }) ?? true { owner.chunk.keep(found.chunk) }
      list.targets.append(member)
      list.rows.append(found)
      store.digest?.add(select, width..<(column.kind == .set ? width + 1 : width + 2))
      if column.kind == .list { list.positions.append(select.column(width + 1).integer) }
      try list.keys?.append(
        select.column(width + 1), of: column, owner.chunk.schema, owner: owner.zIndex)
    }
    let slice = LinkSlice(list, start: 0, count: list.targets.count)
    fill(owner.slot(slot), column.makeCell(slice))
  }

  private func select(
    _ owners: ArraySlice<PackedRow>, _ statements: LinkStatements
  ) throws -> SQLiteStatement {
    try RowList(owners.map(\.zIndex)).bound(
      one: { try statements.selectOne }, range: { try statements.selectRange },
      listed: { try statements.selectListed })
  }

  /// Makes the cells of the owners that have members. An owner's links lie together.
  private func join(
    _ links: FetchedLinks, slot: Int, of owner: LoadedType, to target: LoadedType
  ) throws {
    var list: LinkList?
    var chunk: RowChunk?
    var index = 0
    while index < links.links.count {
      let zIndex = links.links[index].owner
      guard let row = owner.directory[zIndex] else {
        index += 1
        continue
      }
      // One chunk's owners share a list, so that an object keeps no more than its chunk does.
      if list == nil || row.chunk !== chunk {
        chunk = row.chunk
        list = LinkList(
          links.column, target: target.schema, keys: links.keys?.makeEmpty())
        list?.reserveCapacity(min(links.links.count - index, 1024))
      }
      guard let list, let chunk else { return }
      let start = list.targets.count
      var lastTarget: PackedRow?
      while index < links.links.count, links.links[index].owner == zIndex {
        let member = links.links[index].target
        guard let found = target.directory[member] else {
          throw brokenReference(from: row, links.column, to: member)
        }
        list.targets.append(member)
        list.rows.append(found)
        if links.column.kind == .list { list.positions.append(links.links[index].position) }
        if let keys = links.keys { list.keys?.append(index, of: keys) }
        if lastTarget.map({ !$0.isBeside(found) }) ?? true { chunk.keep(found.chunk) }
        lastTarget = found
        index += 1
      }
      let slice = LinkSlice(list, start: start, count: list.targets.count - start)
      fill(row.slot(slot), links.column.makeCell(slice))
    }
  }

  private func fillEmpty(
    _ owners: ArraySlice<PackedRow>, slot: Int, _ column: CollectionColumn, _ target: ObjectSchema
  ) throws {
    let empty = LinkList(column, target: target, keys: column.makeKeys())
    for row in owners where row.slot(slot).load(as: UInt.self) == 0 {
      fill(row.slot(slot), column.makeCell(LinkSlice(empty, start: 0, count: 0)))
    }
  }

  private func fill(_ slot: UnsafeMutableRawPointer, _ cell: AnyCell) {
    slot.storeBytes(of: Unmanaged.passRetained(cell).toOpaque(), as: UnsafeMutableRawPointer.self)
  }
}

/// Links as they are read, before their rows are known.
private struct FetchedLinks {
  struct Link {
    let owner: Int64
    let target: Int64
    /// In lists.
    let position: Int64
  }

  let column: CollectionColumn
  private(set) var links: [Link] = []
  let keys: (any LinkKeys)?

  init(_ column: CollectionColumn) {
    self.column = column
    keys = column.makeKeys()
    links.reserveCapacity(16)
  }

  mutating func read(
    _ select: SQLiteStatement, of column: CollectionColumn, _ schema: ObjectSchema,
    _ digest: ResultDigest?, isWanted: (Int64) -> Bool
  ) throws {
    defer { select.reset() }
    var cancellation = CancellationCheck()
    let kind = column.kind
    var lastOwner: Int64?
    var isLastWanted = false
    while try select.step() {
      try cancellation.count()
      let owner = select.column(0).integer
      if owner != lastOwner {
        lastOwner = owner
        isLastWanted = isWanted(owner)
      }
      guard isLastWanted else { continue }
      digest?.add(select, 0..<(kind == .set ? 2 : 3))
      links.append(
        Link(
          owner: owner, target: select.column(1).integer,
          position: kind == .list ? select.column(2).integer : 0))
      try keys?.append(select.column(2), of: column, schema, owner: owner)
    }
  }

  func targets(unknownTo type: LoadedType) -> [Int64] {
    var unknown: [Int64] = []
    unknown.reserveCapacity(links.count)
    let isAnyKnown = type.directory.count > 0
    for link in links where !isAnyKnown || type.directory[link.target] == nil {
      unknown.append(link.target)
    }
    return unknown
  }
}

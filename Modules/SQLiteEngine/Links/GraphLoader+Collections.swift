import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

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
        target.add(
          try store.loadMembers(
            of: owner.rows[start], index, owner.statements, target.statements, target.graph))
        owner.done[relationship] = owner.rows.count
        return
      }
      try links.read(
        select(owner.rows[start...], statements), of: column, owner.schema, store.digest,
        isWanted: { zIndex in
          // A range of owners holds others too, which have theirs or get them later.
          owner.directory[zIndex].map { $0.slot(slot).load(as: UInt.self) == 0 } ?? false
        })
      var unknown = links.targets(from: 0) { target.directory[$0] == nil }
      if target === owner { unknown = try readReached(from: unknown, &links, owner, statements) }
      if !unknown.rowIDs.isEmpty { try fetch(unknown, of: target) }
      try join(links, slot: slot, of: owner, to: target)
    }
    try fillEmpty(owner.rows[start...], slot: slot, column, targetSchema)
    owner.done[relationship] = owner.rows.count
  }

  /// Reads the links of a collection whose members are of the owner's own type, and those of its
  /// members, and so on: level by level as long as many lead on, then all the rest with one recursive
  /// query, however deep it goes. A recursive query takes three times as long for each link, a level
  /// takes a statement.
  ///
  /// - Returns: all that was reached.
  private func readReached(
    from start: RowList, _ links: inout FetchedLinks, _ type: LoadedType,
    _ statements: LinkStatements
  ) throws -> RowList {
    var reached = Set(start.rowIDs)
    var level = start
    var levels = 0
    while !level.rowIDs.isEmpty {
      try Task.checkCancellation()
      let place = links.links.count
      let isNarrow = levels >= 3 && reached.count < levels * Self.narrowLevel
      let isLast = isNarrow || levels == Self.mostLevels
      let select: SQLiteStatement
      if isLast {
        select = try statements.selectReached
        try select.bind(level.json, at: 1)
      } else {
        select = try self.select(level, statements)
      }
      var passed = 0
      try links.read(select, of: statements.column, type.schema, store.digest) { zIndex in
        // Others lie between those of a range, and a recursive query comes back to those before.
        isLast
          ? level.contains(zIndex)
            || !reached.contains(zIndex) && type.directory[zIndex] == nil
          : level.contains(zIndex, from: &passed)
      }
      let next = links.targets(from: place) {
        type.directory[$0] == nil && reached.insert($0).inserted
      }
      if isLast { break }
      level = next
      levels += 1
    }
    return RowList(Array(reached))
  }

  /// Where levels are smaller than this on average, most likely a chain is followed.
  private static var narrowLevel: Int { 4 }

  private static var mostLevels: Int { 32 }

  private func select(
    _ owners: ArraySlice<PackedRow>, _ statements: LinkStatements
  ) throws -> SQLiteStatement {
    try select(RowList(owners.map(\.zIndex)), statements)
  }

  private func select(
    _ owners: RowList, _ statements: LinkStatements
  ) throws -> SQLiteStatement {
    try owners.bound(
      .links,
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
        list = CollectionLinks(
          links.column, target: target.schema, keys: links.keys?.makeEmpty())
        list?.reserveCapacity(min(links.links.count - index, 1024))
      }
      guard let list, let chunk else { return }
      let start = list.targets.count
      var lastTarget: PackedRow?
      while index < links.links.count, links.links[index].owner == zIndex {
        let member = links.links[index].target
        guard let found = target.directory[member] else {
          throw MagicError.brokenReference(
            from: zIndex, of: owner.schema, links.column, to: member)
        }
        list.append(found, member, position: links.links[index].position)
        if let keys = links.keys { list.keys?.append(index, of: keys) }
        if lastTarget.map({ !$0.isBeside(found) }) ?? true { chunk.keep(found.chunk) }
        lastTarget = found
        index += 1
      }
      let slice = LinkSlice(list, start: start, count: list.targets.count - start)
      row.fill(slot, links.column.makeBox(slice))
    }
  }

  private func fillEmpty(
    _ owners: ArraySlice<PackedRow>, slot: Int, _ column: CollectionColumn, _ target: ObjectSchema
  ) throws {
    let empty = CollectionLinks(column, target: target, keys: column.makeKeys())
    for row in owners where row.slot(slot).load(as: UInt.self) == 0 {
      row.fill(slot, column.makeBox(LinkSlice(empty, start: 0, count: 0)))
    }
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
    var owner = LinkOwner()
    var isOwnerWanted = false
    while try select.step() {
      try cancellation.count()
      if owner.advance(to: select.column(0)) {
        isOwnerWanted = owner.isRow && isWanted(owner.zIndex)
      }
      guard isOwnerWanted else { continue }
      let target = select.column(1)
      guard target.isInteger else {
        throw MagicError.brokenReference(from: owner.zIndex, of: schema, column, to: nil)
      }
      digest?.add(select, 0..<(kind == .set ? 2 : 3))
      links.append(
        Link(
          owner: owner.zIndex, target: target.integer,
          position: kind == .list ? select.column(2).integer : 0))
      try keys?.append(select.column(2), of: column, schema, owner: owner.zIndex)
    }
  }

  /// What the links from a place on lead to.
  func targets(from place: Int, where isWanted: (Int64) -> Bool) -> RowList {
    var targets: [Int64] = []
    targets.reserveCapacity(links.count - place)
    for link in links[place...] where isWanted(link.target) { targets.append(link.target) }
    return RowList(targets)
  }
}

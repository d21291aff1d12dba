import MagicEngine
import MagicSchema

extension GraphLoader {
  /// Sets the owners' slots of a collection to their members.
  mutating func loadCollection(_ index: Int, of owner: LoadedType) throws {
    let relationship = owner.schema.toOnes.count + index
    let column = owner.schema.collections[index]
    let slot = owner.schema.columns.count + index
    let start = owner.done[relationship]
    let targetSchema = try column.target

    if let target = try type(targetSchema) {
      // With rows of the type known, a fetch of members would ask for some of them again.
      if owner.rows.count - start == 1, target.directory.count == 0 {
        target.add(
          try reader.loadMembers(of: owner.rows[start], index, target.schema, target.graph))
        owner.done[relationship] = owner.rows.count
        return
      }
      var links = FetchedLinks(index, of: owner.schema)
      let owners = RowList(owner.rows[start...].map(\.zIndex))
      try reader.fetch(.owners(owners), of: owner.schema, into: &links) { rowID in
        // A range of owners holds others too, which have theirs or get them later.
        owner.directory[rowID].map { $0.slot(slot).load(as: UInt.self) == 0 } ?? false
      }
      var unknown = links.targets(from: 0) { target.directory[$0] == nil }
      if target === owner { unknown = try readReached(from: unknown, &links, owner) }
      if !unknown.rowIDs.isEmpty { try fetch(unknown, of: target) }
      try join(links, slot: slot, of: owner, to: target)
    }
    try fillEmpty(owner.rows[start...], slot: slot, column, targetSchema)
    owner.done[relationship] = owner.rows.count
  }

  /// Reads the join rows of a collection whose members are of the owner's own type, and those of its
  /// members, and so on: level by level as long as there are many, then all the rest with one recursive
  /// query, however deep it goes. A recursive query takes three times as long for each join row, a
  /// level takes a query.
  ///
  /// - Returns: all that was reached.
  private func readReached(
    from start: RowList, _ links: inout FetchedLinks, _ type: LoadedType
  ) throws -> RowList {
    var reached = Set(start.rowIDs)
    var level = start
    var levels = 0
    while !level.rowIDs.isEmpty {
      try Task.checkCancellation()
      let place = links.links.count
      let isNarrow = levels >= 3 && reached.count < levels * Self.narrowLevel
      let isLast = isNarrow || levels == Self.mostLevels
      var passed = 0
      try reader.fetch(
        isLast ? .reached(from: level) : .owners(level), of: type.schema, into: &links
      ) { rowID in
        // Others lie between those of a range, and a recursive query visits those before again.
        isLast
          ? level.contains(rowID) || !reached.contains(rowID) && type.directory[rowID] == nil
          : level.contains(rowID, from: &passed)
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

  /// Sets the slots of the owners that have members. The join rows of an owner follow each other.
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
        if lastTarget.map({ !$0.isInSameChunk(as: found) }) ?? true { chunk.keep(found.chunk) }
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

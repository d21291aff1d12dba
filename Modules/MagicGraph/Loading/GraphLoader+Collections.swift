import MagicEngine
import MagicSchema

extension GraphLoader {
  /// Sets the owners' slots of a collection to their members.
  mutating func loadCollection(_ index: Int, of owner: LoadedType) throws {
    let relationship = owner.schema.toOnes.count + index
    let column = owner.schema.collections[index]
    let slot = owner.schema.columns.count + index
    let start = owner.loadedRowCounts[relationship]
    let targetSchema = try column.target

    if let target = try type(targetSchema) {
      // If rows of the type are already loaded, a fetch of members could fetch some of them again.
      if owner.rows.count - start == 1, target.rowIndex.count == 0 {
        target.add(
          try reader.loadMembers(of: owner.rows[start], index, target.schema, target.graph))
        owner.loadedRowCounts[relationship] = owner.rows.count
        return
      }
      var links = FetchedLinks(index, of: owner.schema)
      let owners = RowIDSet(owner.rows[start...].map(\.zIndex))
      try reader.fetch(.owners(owners), of: owner.schema, into: &links) { rowID in
        // A fetch of a range of owners also returns other owners. Their members are loaded already,
        // or are loaded later.
        owner.rowIndex[rowID].map { $0.slot(slot).load(as: UInt.self) == 0 } ?? false
      }
      var unknown = links.targets(from: 0) { target.rowIndex[$0] == nil }
      if target === owner { unknown = try fetchReachableLinks(from: unknown, &links, owner) }
      if !unknown.rowIDs.isEmpty { try fetch(unknown, of: target) }
      try join(links, slot: slot, of: owner, to: target)
    }
    try fillEmpty(owner.rows[start...], slot: slot, column, targetSchema)
    owner.loadedRowCounts[relationship] = owner.rows.count
  }

  /// Fetches the join rows of a collection whose members have the owner's own type, then the join
  /// rows of these members, and so on. While levels are large, each level is one query. Otherwise
  /// one recursive query fetches all remaining levels. A recursive query takes three times as long
  /// for each join row, but needs no query for each level.
  ///
  /// - Returns: all row IDs that were reached.
  private func fetchReachableLinks(
    from start: RowIDSet, _ links: inout FetchedLinks, _ type: LoadedType
  ) throws -> RowIDSet {
    var reached = Set(start.rowIDs)
    var level = start
    var levels = 0
    while !level.rowIDs.isEmpty {
      try Task.checkCancellation()
      let place = links.links.count
      let isNarrow = levels >= 3 && reached.count < levels * Self.narrowLevelSize
      let isLast = isNarrow || levels == Self.maximumLevels
      var passed = 0
      try reader.fetch(
        isLast ? .reached(from: level) : .owners(level), of: type.schema, into: &links
      ) { rowID in
        // A range contains other owners too, and a recursive query visits earlier rows again.
        isLast
          ? level.contains(rowID) || !reached.contains(rowID) && type.rowIndex[rowID] == nil
          : level.contains(rowID, from: &passed)
      }
      let next = links.targets(from: place) {
        type.rowIndex[$0] == nil && reached.insert($0).inserted
      }
      if isLast { break }
      level = next
      levels += 1
    }
    return RowIDSet(Array(reached))
  }

  /// The average size of levels below which the relationship is probably a long chain.
  private static var narrowLevelSize: Int { 4 }

  private static var maximumLevels: Int { 32 }

  /// Sets the slots of the owners that have members. The join rows of an owner are consecutive.
  private func join(
    _ links: FetchedLinks, slot: Int, of owner: LoadedType, to target: LoadedType
  ) throws {
    var list: LinkList?
    var chunk: RowChunk?
    var index = 0
    while index < links.links.count {
      let zIndex = links.links[index].owner
      guard let row = owner.rowIndex[zIndex] else {
        index += 1
        continue
      }
      // The owners in one chunk share a list, so that an object does not retain more memory than
      // its chunk does.
      if list == nil || row.chunk !== chunk {
        chunk = row.chunk
        list = LinkList(
          links.column, target: target.schema, keys: links.keys?.makeEmpty())
        list?.reserveCapacity(min(links.links.count - index, 1024))
      }
      guard let list, let chunk else { return }
      let (start, first) = (list.targets.count, index)
      var lastTarget: PackedRow?
      while index < links.links.count, links.links[index].owner == zIndex {
        let member = links.links[index].target
        guard let found = target.rowIndex[member] else {
          throw MagicError.brokenReference(
            from: zIndex, of: owner.schema, links.column, to: member)
        }
        list.append(found, member, position: links.links[index].position)
        if lastTarget.map({ !$0.isInSameChunk(as: found) }) ?? true { chunk.keep(found.chunk) }
        lastTarget = found
        index += 1
      }
      if let keys = links.keys { list.keys?.append(first..<index, of: keys) }
      let slice = LinkSlice(list, start: start, count: list.targets.count - start)
      row.fill(slot, links.column.makeBox(slice))
    }
  }

  private func fillEmpty(
    _ owners: ArraySlice<PackedRow>, slot: Int, _ column: CollectionColumn, _ target: ObjectSchema
  ) throws {
    let empty = LinkList(column, target: target, keys: column.makeKeys())
    for row in owners where row.slot(slot).load(as: UInt.self) == 0 {
      row.fill(slot, column.makeBox(LinkSlice(empty, start: 0, count: 0)))
    }
  }
}

package import MagicEngine
package import MagicSchema
import Magical

/// Reads members of collections.
extension MemoryReader {
  package func fetch(
    _ plan: LinkPlan, of schema: ObjectSchema, into links: inout FetchedLinks,
    isWanted: (Int64) -> Bool
  ) throws {
    guard let members = try memberTable(links.collection, of: schema) else { return }
    var cancellation = CancellationCheck()
    defer { digest?.add(links.links.count) }
    for owner in owners(plan, members) where isWanted(owner) {
      for member in members.members(of: owner) {
        try cancellation.count()
        digest?.add(integer: owner)
        note(member)
        links.append(
          FetchedLinks.Link(owner: owner, target: member.target, position: member.position))
        try links.keys?.append(member.key, of: links.column, schema, owner: owner)
      }
    }
  }

  private func owners(_ plan: LinkPlan, _ members: MemberTable) -> [Int64] {
    switch plan {
    case .owners(let list): return list.rowIDs
    case .reached(let list):
      var (found, known) = (list.rowIDs, Set(list.rowIDs))
      var next = 0
      while next < found.count {
        for member in members.members(of: found[next]) where known.insert(member.target).inserted {
          found.append(member.target)
        }
        next += 1
      }
      return found.sorted()
    }
  }

  package func fetch(
    _ plan: MemberPlan, of owner: Int64, in collection: Int, of schema: ObjectSchema,
    target: ObjectSchema, graph: RowGraph?, into list: LinkList,
    use: (ListEntry) -> ListEntryUse
  ) throws -> FetchedMemberRows {
    let column = schema.collections[collection]
    guard let members = try memberTable(collection, of: schema),
      let targets = try table(of: target)
    else { return FetchedMemberRows([]) }
    var packer = packer(for: target, graph)
    var known: [Int64: PackedRow] = [:]
    let (chosen, limit) = chosen(plan, of: owner, in: members)
    members: for member in chosen {
      switch use(ListEntry(position: member.position, target: member.target)) {
      case .take: break
      case .pass: continue members
      case .stop: break members
      }
      guard let row = targets.rows[member.target] else {
        throw MagicError.brokenReference(from: owner, of: schema, column, to: member.target)
      }
      let packed = try known[member.target] ?? packer.append(row, rowID: row.rowID)
      known[member.target] = packed
      note(member)
      list.append(packed, member.target, position: member.position)
      try list.keys?.append(member.key, of: column, schema, owner: owner)
    }
    let last = list.targets.count == limit ? chosen.last : nil
    return FetchedMemberRows(
      packer.takeChunks(), last: last.map { members.end(at: $0, of: column) })
  }

  /// The candidate members of a plan, and the maximum number of members to fetch.
  private func chosen(
    _ plan: MemberPlan, of owner: Int64, in table: MemberTable
  ) -> (members: ArraySlice<Member>, limit: Int) {
    let all = table.members(of: owner)
    switch plan {
    case .all: return (all[...], .max)
    case .first(let count, let offset): return (all.dropFirst(offset).prefix(count), count)
    case .after(.list(let keys), let limit):
      let end = keys.map { StoredValue($0) { _ in 0 }.integer }
      return (
        all.drop { !end.lexicographicallyPrecedes([$0.sort, $0.position]) }.prefix(limit), limit
      )
    case .after(let value, let limit):
      let place = StoredValue(value) { _ in 0 }
      return (
        all.drop { StoredValue.order(table.place(of: $0), place) <= 0 }.prefix(limit), limit
      )
    }
  }

  /// Adds a fetched member to the digest.
  private func note(_ member: Member) {
    digest?.add(integer: member.target)
    digest?.add(integer: member.position)
    member.key.add(to: digest)
  }

  private func members(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> [Member] {
    try memberTable(collection, of: schema)?.members(of: owner) ?? []
  }

  package func countMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int {
    noted(try members(of: owner, in: collection, of: schema).count)
  }

  package func hasMember(
    _ target: Int64, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Bool {
    noted(
      try members(of: owner, in: collection, of: schema).contains { $0.target == target })
  }

  package func member(
    forKey key: any LinkKeys, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int64? {
    var writer = StoredValueWriter()
    do {
      try key.write(0, to: &writer)
    } catch let error as MagicalError {
      throw MagicError(
        error, schema: schema, collection: schema.collections[collection], row: owner)
    }
    let found = try members(of: owner, in: collection, of: schema)
      .first { StoredValue.order($0.key, writer.value) == 0 }?.target
    _ = noted(found == nil ? 0 : 1)
    return found
  }

  package func hasMember(
    _ place: ListEntry, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Bool {
    noted(
      try members(of: owner, in: collection, of: schema).contains {
        $0.position == place.position && $0.target == place.target
      })
  }

  package func nearestPosition(
    to place: ListEntry, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int64? {
    try members(of: owner, in: collection, of: schema)
      .nearestPosition(of: place.target, to: place.position)
  }
}

extension MemberTable {
  /// What a page that ends with a member continues after.
  fileprivate func end(at member: Member, of column: CollectionColumn) -> QueryValue {
    column.isListThrough
      ? .list([.integer(member.sort), .integer(member.position)]) : place(of: member).queryValue
  }

  /// The value that orders a member.
  fileprivate func place(of member: Member) -> StoredValue {
    switch kind {
    case .list: .integer(member.position)
    case .set: .integer(member.target)
    case .dictionary: member.key
    }
  }
}

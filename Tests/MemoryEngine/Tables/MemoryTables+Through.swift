import MagicEngine
import MagicSchema

/// Collections through a join type, whose join rows are the rows of its table.
extension MemoryTables {
  /// The members of a collection, or nil if its type has no table.
  func memberTable(_ collection: Int, of schema: ObjectSchema) throws -> MemberTable? {
    guard let table = try table(of: schema) else { return nil }
    guard let join = try schema.collections[collection].joinType else {
      return table.collections[collection]
    }
    var members = MemberTable(schema.collections[collection].kind)
    guard let rows = try self.table(of: join.schema)?.rows.values else { return members }
    for row in rows { members.insert(row, join) }
    return members
  }

  /// The owners whose join objects were changed by the transaction, ascending.
  func changedOwners(
    of collection: CollectionColumn, since before: MemoryTables
  ) -> [Int64] {
    guard let join = try? collection.joinType, let table = all[join.schema.tableName.folded]
    else { return [] }
    let old = before.all[join.schema.tableName.folded]
    var owners = Set<Int64>()
    for rowID in table.touched.keys {
      let links = [old?.rows[rowID], table.rows[rowID]].map { $0.flatMap(join.link) }
      guard links[0] != links[1] else { continue }
      owners.formUnion(links.compactMap { $0?.owner })
    }
    return owners.sorted()
  }
}

/// What a join object says about the collection of its owner.
private struct JoinLink: Equatable {
  let owner: Int64
  let target: Int64
  let sort: Int64
}

extension JoinType {
  /// The link of a row, or nil if it has no owner or no member.
  fileprivate func link(of row: StoredRow) -> JoinLink? {
    guard let owner = row.values[owner].rowID, let target = row.values[target].rowID else {
      return nil
    }
    return JoinLink(
      owner: owner, target: target, sort: order.flatMap { row.values[$0].rowID } ?? 0)
  }
}

extension MemberTable {
  fileprivate mutating func insert(_ row: StoredRow, _ join: JoinType) {
    guard let link = join.link(of: row) else { return }
    let member =
      kind == .set
      ? Member(target: link.target)
      : Member(target: link.target, sort: link.sort, position: row.rowID)
    insert(member, of: link.owner)
  }
}

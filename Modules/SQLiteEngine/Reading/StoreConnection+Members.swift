package import MagicEngine
import MagicSQLite
package import MagicSchema

extension StoreConnection {
  /// Fetches members of one owner's collection: join rows and rows in one query.
  package func fetch(
    _ plan: MemberPlan, of owner: Int64, in collection: Int, of schema: ObjectSchema,
    target: ObjectSchema, graph: RowGraph?, into list: LinkList,
    use: (ListEntry) -> ListEntryUse
  ) throws -> FetchedMemberRows {
    guard let links = try joinStatements(of: schema, collection),
      let target = try statements(of: target)
    else { return FetchedMemberRows([]) }
    let select: SQLiteStatement
    var limit: Int?
    switch plan {
    case .all: select = try links.selectLinked(target)
    case .first(let count, let offset):
      select = try links.selectSome(target)
      try select.bind(Int64(count), at: 2)
      try select.bind(Int64(offset), at: 3)
      limit = count
    case .after(let key, let count):
      select = try links.selectAfter(target)
      arena.reset()
      if case .list(let keys) = key, keys.count == 2 {
        try bind(keys[0], to: select, at: 2)
        try bind(keys[1], to: select, at: 4)
      } else {
        try bind(key, to: select, at: 2)
      }
      try select.bind(Int64(count), at: 3)
      limit = count
    }
    defer { select.reset() }
    try select.bind(owner, at: 1)
    let members = MemberRows(owner: owner, schema: schema, column: links.column, limit: limit)
    return try read(select, members, target.schema, graph, into: list, use)
  }

  private func read(
    _ select: SQLiteStatement, _ members: MemberRows, _ target: ObjectSchema, _ graph: RowGraph?,
    into list: LinkList, _ use: (ListEntry) -> ListEntryUse
  ) throws -> FetchedMemberRows {
    let (column, owner) = (members.column, members.owner)
    let isList = column.kind == .list
    let targetIndex = target.columns.count + 1
    let keyIndex = column.kind == .set ? targetIndex : targetIndex + 1
    var packer = packer(for: target, graph)
    var known = KnownMembers()
    var last: QueryValue?
    var cancellation = CancellationCheck()
    rows: while try select.step() {
      try cancellation.count()
      let key = select.column(keyIndex)
      // A page continues after the position of a join row, so the position must be an integer.
      guard members.limit == nil || !isList || key.isInteger else { throw members.noPosition() }
      let rowID = select.column(0)
      let hasRow = !rowID.isNull
      let member = hasRow ? rowID.integer : select.column(targetIndex).integer
      let position = isList ? key.integer : 0
      switch use(ListEntry(position: position, target: member)) {
      case .take: break
      case .pass: continue rows
      case .stop: break rows
      }
      guard hasRow else {
        throw MagicError.brokenReference(
          from: owner, of: members.schema, column, to: select.column(targetIndex).rowKey)
      }
      let row = try known.row(member, in: list) ?? packer.append(select, rowID: member)
      digest?.add(select, targetIndex..<keyIndex + 1)
      list.append(row, member, position: position)
      try list.keys?.append(
        ColumnReader(column: key), of: column, members.schema, owner: owner)
      if list.targets.count == members.limit {
        last =
          column.isListThrough
          ? .list([QueryValue(select.column(keyIndex + 1)), QueryValue(key)]) : QueryValue(key)
      }
    }
    return FetchedMemberRows(packer.takeChunks(), last: last)
  }
}

/// The owner and the collection of the members that are read.
private struct MemberRows {
  let owner: Int64
  let schema: ObjectSchema
  let column: CollectionColumn
  /// The maximum number of members to read; nil for all.
  let limit: Int?

  func noPosition() -> MagicError {
    MagicError(
      .cannotDecode, "The list of row \(owner) has a position that is not an integer.",
      type: schema.typeName, property: column.property)
  }
}

/// The members of an owner that were read. Each is one instance, even if it is in the collection
/// several times.
private struct KnownMembers {
  private var highest = Int64.min
  private var directory = RowIndex()
  /// The number of list members that are in the directory.
  private var entered = 0

  /// Returns the row of a member that is already in the list; nil for a new member.
  mutating func row(_ member: Int64, in list: LinkList) -> PackedRow? {
    // Members are usually in the order of their row IDs, which needs no directory.
    if member > highest {
      highest = member
      return nil
    }
    for row in list.rows[entered...] where directory[row.zIndex] == nil { directory.insert(row) }
    entered = list.rows.count
    return directory[member]
  }
}

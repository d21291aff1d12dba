package import MagicEngine
import MagicSQLite
package import MagicSchema

extension StoreConnection {
  /// Reads members of one owner's collection, join rows and rows with one query.
  ///
  /// - Returns: the rows.
  package func fetch(
    _ plan: MemberPlan, of owner: Int64, in collection: Int, of schema: ObjectSchema,
    target: ObjectSchema, graph: RowGraph?, into list: LinkList
  ) throws -> [RowChunk] {
    guard let links = try joinStatements(of: schema, collection),
      let target = try statements(of: target)
    else { return [] }
    let select: SQLiteStatement
    var isPage = true
    switch plan {
    case .all:
      select = try links.selectLinked(target)
      isPage = false
    case .first(let count, let offset):
      select = try links.selectSome(target)
      try select.bind(Int64(count), at: 2)
      try select.bind(Int64(offset), at: 3)
    case .behind(let key, let limit):
      select = try links.selectBehind(target)
      arena.reset()
      try bind(key, to: select, at: 2)
      try select.bind(Int64(limit), at: 3)
    }
    defer { select.reset() }
    try select.bind(owner, at: 1)
    return try read(
      select, MemberRows(owner: owner, schema: schema, column: links.column, isPage: isPage),
      target.schema, graph, into: list)
  }

  private func read(
    _ select: SQLiteStatement, _ members: MemberRows, _ target: ObjectSchema, _ graph: RowGraph?,
    into list: LinkList
  ) throws -> [RowChunk] {
    let (column, owner) = (members.column, members.owner)
    let targetIndex = target.columns.count + 1
    let digested = targetIndex..<targetIndex + (column.kind == .set ? 1 : 2)
    var packer = packer(for: target, graph)
    var known = KnownMembers()
    var cancellation = CancellationCheck()
    while try select.step() {
      try cancellation.count()
      guard !select.column(0).isNull else {
        throw MagicError.brokenReference(
          from: owner, of: members.schema, column, to: select.column(targetIndex).rowKey)
      }
      let key = select.column(targetIndex + 1)
      // A page continues behind the position of a join row, which has to be an integer.
      guard !members.isPage || column.kind != .list || key.isInteger else {
        throw members.noPosition()
      }
      let member = select.column(0).integer
      let row = try known.row(member, in: list) ?? packer.append(select)
      digest?.add(select, digested)
      list.append(row, member, position: column.kind == .list ? key.integer : 0)
      try list.keys?.append(key, of: column, members.schema, owner: owner)
    }
    return packer.takeChunks()
  }
}

/// The owner and the collection of members that are read.
private struct MemberRows {
  let owner: Int64
  let schema: ObjectSchema
  let column: CollectionColumn
  /// Whether more members may be read behind these.
  let isPage: Bool

  func noPosition() -> MagicError {
    MagicError(
      .cannotDecode, "A link of row \(owner) has a position that is no integer.",
      type: schema.typeName, property: column.property)
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

import MagicEngine
import MagicSQLite
import MagicSchema
import MagicStore

extension StoreConnection {
  /// The next members of a row's collection, on a snapshot of its own: those that are there
  /// throughout come once.
  ///
  /// - Returns: nothing and no cursor at the end, and where the row is gone.
  func page<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, behind cursor: MemberCursor?
  ) throws -> (members: FetchedMembers<Model>, cursor: MemberCursor?) {
    try connection.snapshot {
      guard let statements = try statements(of: row.owner),
        let target = try self.statements(of: ObjectSchema.of(type)),
        let (column, links) = row.links(statements)
      else { return (FetchedMembers(keys: nil), nil) }
      let read = MemberPage(
        store: self, row: row, column: column, links: links, target: target)
      switch column.kind {
      case .list: return try read.list(type, cursor)
      case .set: return try read.set(type, cursor)
      case .dictionary: return try read.dictionary(type, cursor)
      }
    }
  }
}

/// One page of a collection's members.
private struct MemberPage {
  let store: StoreConnection
  let row: LazyRow
  let column: CollectionColumn
  let links: LinkStatements
  let target: TypeStatements

  typealias Page<Model: MagicObject> = (members: FetchedMembers<Model>, cursor: MemberCursor?)

  func set<Model: MagicObject>(_ type: Model.Type, _ cursor: MemberCursor?) throws -> Page<Model> {
    var last = Int64.min
    if case .set(let known) = cursor?.end { last = known }
    let select = try links.selectBehind(target)
    try bind(select, behind: .integer(last), count: MemberCursor.pageSize)
    var count = 0
    let members = try store.fetch(select, as: type, target, column, row) { _, member in
      last = member
      count += 1
      return .take
    }
    return (members, count == MemberCursor.pageSize ? MemberCursor(end: .set(last: last)) : nil)
  }

  func dictionary<Model: MagicObject>(
    _ type: Model.Type, _ cursor: MemberCursor?
  ) throws -> Page<Model> {
    let width = target.schema.columns.count + 1
    var last: QueryValue?
    let select: SQLiteStatement
    if case .dictionary(let key) = cursor?.end {
      select = try links.selectBehind(target)
      try bind(select, behind: key, count: MemberCursor.pageSize)
    } else {
      select = try links.selectSome(target)
      try select.bind(row.zIndex, at: 1)
      try select.bind(Int64(MemberCursor.pageSize), at: 2)
      try select.bind(Int64(0), at: 3)
    }
    var count = 0
    let members = try store.fetch(select, as: type, target, column, row) { select, _ in
      count += 1
      if count == MemberCursor.pageSize { last = QueryValue(select.column(width + 1)) }
      return .take
    }
    return (members, last.map { MemberCursor(end: .dictionary(last: $0)) })
  }

  func list<Model: MagicObject>(_ type: Model.Type, _ cursor: MemberCursor?) throws -> Page<Model> {
    let width = target.schema.columns.count + 1
    var end: ListEnd?
    if case .list(let known) = cursor?.end { end = known }
    var page = try ListPage(behind: end, stands: stands, find: find)
    let select = try links.selectBehind(target)
    try bind(select, behind: .integer(page.position), count: page.linkCount)
    let members = try store.fetch(select, as: type, target, column, row) { select, member in
      page.use(of: ListPlace(position: select.column(width + 1).integer, target: member))
    }
    return (members, page.makeCursor())
  }

  private func bind(_ select: SQLiteStatement, behind key: QueryValue, count: Int) throws {
    store.arena.reset()
    try select.bind(row.zIndex, at: 1)
    try store.bind(key, to: select, at: 2)
    try select.bind(Int64(count), at: 3)
  }

  private func stands(_ link: ListPlace) throws -> Bool {
    let hasLink = try links.hasLink
    defer { hasLink.reset() }
    try hasLink.bind(row.zIndex, at: 1)
    try hasLink.bind(link.position, at: 2)
    try hasLink.bind(link.target, at: 3)
    return try hasLink.step()
  }

  private func find(_ link: ListPlace) throws -> Int64? {
    let nearest = try links.nearest
    defer { nearest.reset() }
    try nearest.bind(row.zIndex, at: 1)
    try nearest.bind(link.target, at: 2)
    try nearest.bind(link.position, at: 3)
    return try nearest.step() ? nearest.column(0).integer : nil
  }
}

import MagicEngine
import MagicSchema
import SQLiteEngine

extension StoreConnection {
  /// A page of a collection's members, and what the next one begins behind.
  typealias Page<Model: MagicObject> = (members: FetchedMembers<Model>, cursor: MemberCursor?)

  /// The next members of a row's collection, on a snapshot of its own: those that are there
  /// throughout come once.
  ///
  /// - Returns: nothing and no cursor at the end, and where the row does not exist.
  func page<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, behind cursor: MemberCursor?
  ) throws -> Page<Model> {
    try inSnapshot {
      switch row.collection?.kind {
      case .list: try listPage(of: row, as: type, behind: cursor)
      case .set: try setPage(of: row, as: type, behind: cursor)
      case .dictionary: try dictionaryPage(of: row, as: type, behind: cursor)
      case nil: (FetchedMembers(keys: nil), nil)
      }
    }
  }

  private func setPage<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, behind cursor: MemberCursor?
  ) throws -> Page<Model> {
    var known = Int64.min
    if case .set(let last) = cursor?.end { known = last }
    let (members, last) = try setMembers(
      of: row, as: type, behind: known, atMost: MemberCursor.pageSize)
    return (members, last.map { MemberCursor(end: .set(last: $0)) })
  }

  private func dictionaryPage<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, behind cursor: MemberCursor?
  ) throws -> Page<Model> {
    var known: QueryValue?
    if case .dictionary(let key) = cursor?.end { known = key }
    let (members, last) = try dictionaryMembers(
      of: row, as: type, behind: known, atMost: MemberCursor.pageSize)
    return (members, last.map { MemberCursor(end: .dictionary(last: $0)) })
  }

  private func listPage<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, behind cursor: MemberCursor?
  ) throws -> Page<Model> {
    var end: ListEnd?
    if case .list(let known) = cursor?.end { end = known }
    var page = try ListPage(
      behind: end, stands: { try hasLink($0, of: row) },
      find: { try nearestPosition(to: $0, of: row) })
    let members = try listMembers(
      of: row, as: type, behind: page.position, atMost: page.linkCount
    ) { page.use(of: $0) }
    return (members, page.makeCursor())
  }
}

import MagicEngine
import MagicSchema
import Magical

extension EngineReader {
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
    var last = Int64.min
    if case .set(let known) = cursor?.end { last = known }
    let limit = MemberCursor.pageSize
    let members = try members(.behind(.integer(last), limit: limit), of: row, as: type)
    guard members.objects.count == limit, let end = members.objects.last?.zIndex else {
      return (members, nil)
    }
    return (members, MemberCursor(end: .set(last: end.rawValue)))
  }

  private func dictionaryPage<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, behind cursor: MemberCursor?
  ) throws -> Page<Model> {
    let limit = MemberCursor.pageSize
    let plan: MemberPlan =
      if case .dictionary(let key) = cursor?.end {
        .behind(key, limit: limit)
      } else {
        .first(limit, after: 0)
      }
    let members = try members(plan, of: row, as: type)
    guard members.objects.count == limit, let keys = members.keys else { return (members, nil) }
    return (
      members, MemberCursor(end: .dictionary(last: try QueryValue(keys, at: limit - 1)))
    )
  }

  private func listPage<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, behind cursor: MemberCursor?
  ) throws -> Page<Model> {
    guard let index = row.collectionIndex else { return (FetchedMembers(keys: nil), nil) }
    var end: ListEnd?
    if case .list(let known) = cursor?.end { end = known }
    var page = try ListPage(
      behind: end,
      stands: { try hasMember($0, of: row.zIndex, in: index, of: row.owner) },
      find: { try nearestPosition(to: $0, of: row.zIndex, in: index, of: row.owner) })
    let plan = MemberPlan.behind(.integer(page.position), limit: page.linkCount)
    let members = try members(plan, of: row, as: type) { page.use(of: $0) }
    return (members, page.makeCursor())
  }
}

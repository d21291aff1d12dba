import MagicEngine
import MagicSchema

extension EngineReader {
  /// A page of a collection's members, and the cursor for the next page.
  typealias Page<Model: MagicObject> = (members: FetchedMembers<Model>, cursor: MemberCursor?)

  /// Fetches the next members of a row's collection on a snapshot of its own. Members that remain
  /// in the collection during the iteration are returned exactly once over all pages. In a list
  /// through a join type, a member may be repeated or missed if its join object gets another order.
  ///
  /// - Returns: an empty page without a cursor at the end, or if the row does not exist.
  func page<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, after cursor: MemberCursor?
  ) throws -> Page<Model> {
    try inSnapshot {
      switch row.collection?.kind {
      case .list where row.collection?.isListThrough == false:
        try listPage(of: row, as: type, after: cursor)
      case .list, .set, .dictionary: try keyedPage(of: row, as: type, after: cursor)
      case nil: (FetchedMembers(keys: nil), nil)
      }
    }
  }

  /// Fetches a page of a set or a dictionary, in the order of row IDs or keys, or of a list through a
  /// join type, in the order of its join objects.
  private func keyedPage<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, after cursor: MemberCursor?
  ) throws -> Page<Model> {
    let limit = MemberCursor.pageSize
    let plan: MemberPlan =
      if case .key(let last) = cursor?.end {
        .after(last, limit: limit)
      } else {
        .first(limit, after: 0)
      }
    let members = try members(plan, of: row, as: type)
    return (members, members.last.map { MemberCursor(end: .key($0)) })
  }

  private func listPage<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, after cursor: MemberCursor?
  ) throws -> Page<Model> {
    guard let index = row.collectionIndex else { return (FetchedMembers(keys: nil), nil) }
    var end: ListEnd?
    if case .list(let known) = cursor?.end { end = known }
    var page = try ListPage(
      after: end,
      isUnmoved: { try hasMember($0, of: row.zIndex, in: index, of: row.owner) },
      find: { try nearestPosition(to: $0, of: row.zIndex, in: index, of: row.owner) })
    let plan = MemberPlan.after(.integer(page.position), limit: page.entryCount)
    let members = try members(plan, of: row, as: type) { page.use(of: $0) }
    return (members, page.makeCursor())
  }
}

import MagicEngine
import MagicGraph
import MagicSchema

extension EngineReader {
  /// Fetches the members of a row's collection in order, with the objects that they refer to and
  /// their keys. Nil if the row does not exist.
  func members<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type
  ) throws -> FetchedMembers<Model>? {
    try inSnapshot {
      let members = try members(.first(.max, after: 0), of: row, as: type)
      // Join rows are deleted with their owner, so the owner must be looked up only if there are no
      // members.
      return try !members.objects.isEmpty || hasRow(row.zIndex, of: row.owner) ? members : nil
    }
  }

  /// Fetches some members of a row's collection, with the objects that they refer to and their
  /// keys. The result is empty if a table is missing.
  ///
  /// - Parameter use: decides what to do with a member of a list. Called for each member in order.
  func members<Model: MagicObject>(
    _ plan: MemberPlan, of row: LazyRow, as type: Model.Type,
    use: (ListEntry) -> ListEntryUse = { _ in .take }
  ) throws -> FetchedMembers<Model> {
    guard let index = row.collectionIndex, let column = row.collection else {
      return FetchedMembers(keys: nil)
    }
    let target = try ObjectSchema.of(type)
    let list = LinkList(column, target: target, keys: column.makeKeys())
    if case .after(_, let limit) = plan { list.reserveCapacity(min(limit, MemberCursor.pageSize)) }
    let rows = try fetch(
      plan, of: row.zIndex, in: index, of: row.owner, target: target, graph: nil, into: list,
      use: use)
    return FetchedMembers(
      objects: try makeObjects(type, target, of: rows.chunks, in: list.rows), keys: list.keys,
      last: rows.last)
  }

  /// Returns the number of members of a row's collection. 0 if the row does not exist.
  func countMembers(of row: LazyRow) throws -> Int {
    guard let index = row.collectionIndex else { return 0 }
    return try countMembers(of: row.zIndex, in: index, of: row.owner)
  }
}

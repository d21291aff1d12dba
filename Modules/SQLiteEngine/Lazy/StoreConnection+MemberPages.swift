package import MagicEngine
import MagicSQLite
package import MagicSchema

/// Some members of a row's collection, behind one of them. No members where a table is missing.
extension StoreConnection {
  /// The members of a set in the order of their row IDs.
  ///
  /// - Returns: the members, and the row ID of the last one where there may be more.
  package func setMembers<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, behind last: Int64, atMost limit: Int
  ) throws -> (members: FetchedMembers<Model>, last: Int64?) {
    guard let collection = try collection(of: row, as: type) else {
      return (FetchedMembers(keys: nil), nil)
    }
    var (last, count) = (last, 0)
    let select = try selectMembers(of: collection, behind: .integer(last), atMost: limit)
    let members = try collection.fetch(select, as: type, in: self) { select in
      last = collection.target(in: select)
      count += 1
      return .take
    }
    return (members, count == limit ? last : nil)
  }

  /// The members of a dictionary in the order of their keys.
  ///
  /// - Parameter key: nil for the first members.
  /// - Returns: the members, and the key of the last one where there may be more.
  package func dictionaryMembers<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, behind key: QueryValue?, atMost limit: Int
  ) throws -> (members: FetchedMembers<Model>, last: QueryValue?) {
    guard let collection = try collection(of: row, as: type) else {
      return (FetchedMembers(keys: nil), nil)
    }
    var last: QueryValue?
    var count = 0
    func use(_ select: SQLiteStatement) -> ListPlaceUse {
      count += 1
      if count == limit { last = QueryValue(collection.key(in: select)) }
      return .take
    }
    let members =
      if let key {
        try collection.fetch(
          selectMembers(of: collection, behind: key, atMost: limit), as: type, in: self, use: use)
      } else {
        try firstMembers(of: collection, as: type, limit, use: use)
      }
    return (members, last)
  }

  /// The members of a list in its order.
  ///
  /// - Parameter use: what to do with a link; is called at every one, in their order.
  package func listMembers<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, behind position: Int64, atMost limit: Int,
    use: (ListPlace) -> ListPlaceUse
  ) throws -> FetchedMembers<Model> {
    guard let collection = try collection(of: row, as: type) else {
      return FetchedMembers(keys: nil)
    }
    let select = try selectMembers(of: collection, behind: .integer(position), atMost: limit)
    return try collection.fetch(select, as: type, in: self) { select in
      use(
        ListPlace(
          position: collection.key(in: select).integer, target: collection.target(in: select)))
    }
  }

  /// Whether a row's list has a link at its position.
  package func hasLink(_ link: ListPlace, of row: LazyRow) throws -> Bool {
    guard let hasLink = try links(of: row)?.hasLink else { return false }
    defer { hasLink.reset() }
    try hasLink.bind(row.zIndex, at: 1)
    try hasLink.bind(link.position, at: 2)
    try hasLink.bind(link.target, at: 3)
    return try hasLink.step()
  }

  /// Of the links of a row's list to a link's target, the position of the one that is nearest to the
  /// link; nil where there is none.
  package func nearestPosition(to link: ListPlace, of row: LazyRow) throws -> Int64? {
    guard let nearest = try links(of: row)?.nearest else { return nil }
    defer { nearest.reset() }
    try nearest.bind(row.zIndex, at: 1)
    try nearest.bind(link.target, at: 2)
    try nearest.bind(link.position, at: 3)
    return try nearest.step() ? nearest.column(0).integer : nil
  }

  private func selectMembers(
    of collection: LazyCollection, behind key: QueryValue, atMost limit: Int
  ) throws -> SQLiteStatement {
    let select = try collection.links.selectBehind(collection.target)
    arena.reset()
    try select.bind(collection.row.zIndex, at: 1)
    try bind(key, to: select, at: 2)
    try select.bind(Int64(limit), at: 3)
    return select
  }
}

package import MagicEngine
import MagicSQLite
package import MagicSchema

extension StoreConnection {
  /// The members of a row's collection in its order, with all that is fetched with them, and their
  /// keys; nil where the row does not exist.
  package func members<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type
  ) throws -> FetchedMembers<Model>? {
    try inSnapshot {
      guard let collection = try collection(of: row, as: type) else {
        return try hasRow(row) ? FetchedMembers(keys: row.collection?.makeKeys()) : nil
      }
      let select = try collection.links.selectLinked(collection.target)
      try select.bind(row.zIndex, at: 1)
      let members = try collection.fetch(select, as: type, in: self)
      // Links are deleted with their owner: only where there is none the row has to be looked up.
      return try !members.objects.isEmpty || hasRow(row) ? members : nil
    }
  }

  /// How many members a row's collection has; none where the row does not exist.
  package func countMembers(of row: LazyRow) throws -> Int {
    guard let links = try links(of: row) else { return 0 }
    let count = try links.count
    defer { count.reset() }
    try count.bind(row.zIndex, at: 1)
    return try count.step() ? Int(count.column(0).integer) : 0
  }

  /// The member at an index of a row's collection, in its order; nil where there is no table.
  package func member<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type, at index: Int
  ) throws -> FetchedMembers<Model>? {
    try collection(of: row, as: type).map { try firstMembers(of: $0, as: type, 1, after: index) }
  }

  /// The first members of a collection, without those at its beginning.
  func firstMembers<Model: MagicObject>(
    of collection: LazyCollection, as type: Model.Type, _ count: Int, after offset: Int = 0,
    use: (SQLiteStatement) -> ListPlaceUse = { _ in .take }
  ) throws -> FetchedMembers<Model> {
    let select = try collection.links.selectSome(collection.target)
    try select.bind(collection.row.zIndex, at: 1)
    try select.bind(Int64(count), at: 2)
    try select.bind(Int64(offset), at: 3)
    return try collection.fetch(select, as: type, in: self, use: use)
  }

  private func hasRow(_ row: LazyRow) throws -> Bool {
    guard let hasRow = try statements(of: row.owner)?.hasRow else { return false }
    defer { hasRow.reset() }
    try hasRow.bind(row.zIndex, at: 1)
    return try hasRow.step()
  }
}

import MagicEngine
import MagicGraph
import MagicSchema

/// Reads of collections whose edits are not saved yet: the row IDs of the members are read, the
/// edits are applied to them, and then only the requested members are loaded.
extension EngineReader {
  /// Reads the members of a row's collection, with edits. Nil if the row does not exist.
  func members<Model: MagicObject>(
    of row: LazyRow, applying edits: [LazyEdit<Model>]
  ) throws -> EditedMembers<Model>? {
    guard let index = row.collectionIndex else { return nil }
    var links = FetchedLinks(index, of: row.owner)
    try fetch(.owners(RowIDSet([row.zIndex])), of: row.owner, into: &links) { _ in true }
    guard try !links.links.isEmpty || hasRow(row.zIndex, of: row.owner) else { return nil }
    return try EditedMembers(links, applying: edits, for: self)
  }

  /// Loads a range of members. A member that was deleted since its row ID was read is skipped.
  func load<Model: MagicObject>(
    _ range: Range<Int>, of members: EditedMembers<Model>
  ) throws -> FetchedMembers<Model> {
    let entries = members.entries[range]
    let stored = entries.compactMap { entry -> Int64? in
      if case .stored(let rowID) = entry { rowID } else { nil }
    }
    var loaded = try objects(of: Model.self, ObjectSchema.of(Model.self), at: stored)[...]
    let objects = entries.map { members.inserted($0) ?? loaded.removeFirst() }
    let keys = members.keys(of: zip(range, objects).lazy.filter { $1 != nil }.map(\.0))
    return FetchedMembers(objects: objects.compactMap { $0 }, keys: keys)
  }

  /// Fetches all members of a row's collection with edits. Nil if the row does not exist.
  func allMembers<Model: MagicObject>(
    of row: LazyRow, applying edits: [LazyEdit<Model>]
  ) throws -> FetchedMembers<Model>? {
    try inSnapshot {
      try members(of: row, applying: edits).map { try load($0.entries.indices, of: $0) }
    }
  }

  /// Returns the number of members of a row's collection, with edits. 0 if the row does not exist.
  func countMembers<Model: MagicObject>(
    of row: LazyRow, applying edits: [LazyEdit<Model>]
  ) throws -> Int {
    try inSnapshot { try members(of: row, applying: edits)?.entries.count ?? 0 }
  }

  /// Reads the next page of a collection with edits. The first page reads the row IDs of all
  /// members; each page loads its members on a snapshot of its own.
  func page<Model: MagicObject>(
    of row: LazyRow, applying edits: [LazyEdit<Model>], after cursor: MemberCursor?
  ) throws -> Page<Model> {
    try inSnapshot {
      var start = 0
      let all: EditedMembers<Model>?
      if case .edited(let known, let next) = cursor?.end {
        (all, start) = (known as? EditedMembers<Model>, next)
      } else {
        all = try members(of: row, applying: edits)
      }
      guard let all else { return (FetchedMembers(keys: nil), nil) }
      let end = min(start + MemberCursor.pageSize, all.entries.count)
      let page = try load(start..<end, of: all)
      let isLast = end == all.entries.count
      return (page, isLast ? nil : MemberCursor(end: .edited(all, next: end)))
    }
  }
}

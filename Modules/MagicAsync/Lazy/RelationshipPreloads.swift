import MagicEngine
import MagicGraph
import MagicSchema

/// A lazy to-one that a query loads with its objects.
struct ToOnePreload<Target: MagicObject>: RelationshipPreload {
  /// The index of the column in the type.
  let column: Int

  func load(for chunks: [RowChunk], on reader: any EngineReader) throws {
    let rows = chunks.allRows.filter { !$0.isNull(column) }
    let targets = try reader.objects(
      of: Target.self, ObjectSchema.of(Target.self),
      at: rows.map { $0.slot(column).load(as: Int64.self) })
    for (row, target) in zip(rows, targets) {
      // A missing row is reported when the property is read.
      if let target { row.property(column).preload(target) }
    }
  }

  func insert(into region: inout ReadRegion, of schema: ObjectSchema) throws {
    try region.insert(targets: ObjectSchema.of(Target.self), ofQueryFor: schema)
  }
}

/// A lazy collection that a query loads with its objects.
struct CollectionPreload<Content: ObjectCollection>: RelationshipPreload {
  /// The index of the collection in the type.
  let collection: Int

  func load(for chunks: [RowChunk], on reader: any EngineReader) throws {
    guard let schema = chunks.first?.schema else { return }
    let rows = chunks.allRows
    var owners = RowIndex()
    for row in rows where owners[row.zIndex] == nil { owners.insert(row) }
    var links = FetchedLinks(collection, of: schema)
    // A fetch of a range of owners also returns other owners.
    try reader.fetch(
      .owners(RowIDSet(rows.map(\.zIndex))), of: schema, into: &links
    ) { owners[$0] != nil }
    let column = schema.collections[collection]
    let members = try reader.objects(
      of: Content.Member.self, column.target, at: links.links.map(\.target))

    let slot = schema.columns.count + collection
    let empty = Content(members: [], keys: Content.makeKeys(), start: 0)
    for row in rows { row.property(slot).preload(empty) }
    var start = 0
    while start < links.links.count {
      let owner = links.links[start].owner
      var content: [Content.Member] = []
      for (link, member) in zip(links.links[start...], members[start...]) {
        guard link.owner == owner else { break }
        guard let member else {
          throw MagicError.brokenReference(from: owner, of: schema, column, to: link.target)
        }
        content.append(member)
      }
      let value = Content(members: content, keys: links.keys, start: start)
      owners[owner]?.property(slot).preload(value)
      start += content.count
    }
  }

  func insert(into region: inout ReadRegion, of schema: ObjectSchema) throws {
    let column = schema.collections[collection]
    region.insert(table: column.joinTable(of: schema))
    try region.insert(targets: column.target, ofQueryFor: schema)
  }
}

extension [RowChunk] {
  /// The rows of all chunks, in order.
  fileprivate var allRows: [PackedRow] {
    flatMap { chunk in (0..<chunk.rowCount).map { chunk.row($0) } }
  }
}

package import MagicEngine
package import MagicSchema

extension EngineReader {
  /// Fetches the objects of rows, with all objects that they refer to, from one snapshot. The
  /// result has the order of the row IDs, with nil for rows that do not exist. A row that is
  /// requested twice is one instance.
  package func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, at rowIDs: [Int64]
  ) throws -> [Model?] {
    guard !rowIDs.isEmpty else { return [] }
    return try inSnapshot {
      let rows = try fetch(.rows(RowIDSet(rowIDs)), of: schema)
      let objects = try makeObjects(type, schema, of: rows.chunks)
      let found = rows.chunks.flatMap { chunk in
        (0..<chunk.rowCount).map { chunk.row($0).zIndex }
      }
      if found == rowIDs { return objects }
      return rowIDs.map { rowID in
        let place = RowIDSet.insertionIndex(of: rowID, in: found)
        return place < found.count && found[place] == rowID ? objects[place] : nil
      }
    }
  }

  /// Sets the members of one owner's collection. One query fetches the join rows and the rows of
  /// the members.
  ///
  /// - Parameter graph: the graph that the members join if their type is in a cycle of
  ///   relationships.
  /// - Returns: the chunks of the members' rows. The owner's chunk retains them.
  func loadMembers(
    of owner: PackedRow, _ index: Int, _ target: ObjectSchema, _ graph: RowGraph?
  ) throws -> [RowChunk] {
    let schema = owner.chunk.schema
    let column = schema.collections[index]
    let list = LinkList(column, target: target, keys: column.makeKeys())
    list.reserveCapacity(16)
    let chunks = try fetch(
      .all, of: owner.zIndex, in: index, of: schema, target: target, graph: graph, into: list,
      use: { _ in .take }
    ).chunks
    for chunk in chunks { owner.chunk.keep(chunk) }
    let slice = LinkSlice(list, start: 0, count: list.targets.count)
    owner.fill(schema.columns.count + index, column.makeBox(slice))
    return chunks
  }
}

import MagicEngine
package import MagicSchema
import MagicSQLite

extension StoreConnection {
  /// The objects of rows with all they lead to, in the order of the given z-indexes; nil where
  /// there is no such row. One snapshot; a row that is asked for twice is one instance.
  package func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, at zIndexes: [Int64]
  ) throws -> [Model?] {
    guard !zIndexes.isEmpty else { return [] }
    return try connection.snapshot {
      guard let statements = try statements(of: schema) else {
        return Array(repeating: nil, count: zIndexes.count)
      }
      let (chunks, found) = try rows(RowList(zIndexes), statements)
      let objects = try made(type, of: chunks, statements)
      if found == zIndexes { return objects }
      return zIndexes.map { zIndex in
        let place = RowList.place(of: zIndex, in: found)
        return place < found.count && found[place] == zIndex ? objects[place] : nil
      }
    }
  }

  /// - Returns: the rows that are there, and their z-indexes in ascending order.
  private func rows(
    _ wanted: RowList, _ statements: TypeStatements
  ) throws -> (chunks: [RowChunk], zIndexes: [Int64]) {
    let select = try wanted.bound(
      .row,
      one: { try statements.selectOne }, range: { try statements.selectRange },
      listed: { try statements.selectListed })
    defer { select.reset() }
    var packer = RowPacker(
      schema: statements.schema, store: self, isSingle: wanted.rowIDs.count == 1)
    var cancellation = CancellationCheck()
    var found: [Int64] = []
    var next = 0
    while try select.step() {
      try cancellation.count()
      let zIndex = select.column(0).integer
      guard wanted.contains(zIndex, from: &next) else { continue }
      try packer.append(select)
      found.append(zIndex)
    }
    return (packer.takeChunks(), found)
  }
}

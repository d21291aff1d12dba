package import MagicEngine
package import MagicSchema

extension EngineReader {
  /// Fetches the objects with some row IDs, with all objects that they refer to.
  ///
  /// - Returns: the objects that exist, in row ID order, with their row IDs.
  package func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, rows: RowIDSet
  ) throws -> (rowIDs: [Int64], objects: [Model]) {
    guard !rows.rowIDs.isEmpty, try hasTable(of: schema) else { return ([], []) }
    let fetched = try fetch(.rows(rows), of: schema)
    var rowIDs: [Int64] = []
    for chunk in fetched.chunks {
      for row in 0..<chunk.rowCount { rowIDs.append(chunk.row(row).zIndex) }
    }
    return (rowIDs, try makeObjects(type, schema, of: fetched.chunks))
  }
}

import MagicEngine
import MagicGraph
import MagicSchema
import Magical

/// Decoding of results.
extension StatementSession {
  /// Returns the rows, decoded as the given types.
  func rows<each Value: MagicalColumn>(
    _ types: repeat (each Value).Type, limit: Int = .max
  ) throws -> [(repeat each Value)] {
    var expected = 0
    for _ in repeat (each Value).self { expected += 1 }
    var rows: [(repeat each Value)] = []
    try forEachBatch(limit: limit) { batch in
      try Self.expect(expected, of: batch)
      for index in 0..<batch.rows.count {
        var row = StatementRow(batch, index)
        rows.append((repeat try row.next((each Value).self)))
      }
    }
    return rows
  }

  /// Returns the rows with their stored values.
  func untypedRows() throws -> [MagicSQLRow] {
    var columns: [String] = []
    var rows: [MagicSQLRow] = []
    try forEachBatch { batch in
      if batch.firstRow == 1 { columns = (0..<batch.rows.width).map(batch.columnName) }
      for index in 0..<batch.rows.count {
        let row = StatementRow(batch, index)
        rows.append(
          MagicSQLRow(
            columns: columns,
            values: try columns.indices.map { try row.read(MagicSQLValue.self, at: $0) }))
      }
    }
    return rows
  }

  /// Returns the objects whose row IDs are in the column `z_index`, in the order of the rows.
  func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema
  ) throws -> [Model] {
    try reader.check(statement)
    // The error for an outdated table must be thrown before the snapshot begins.
    _ = try reader.hasTable(of: schema)
    return try reader.inSnapshot {
      let zIndexes = try zIndexes()
      return try reader.objects(of: type, schema, at: zIndexes).enumerated().map {
        index, object in
        guard let object else {
          throw MagicError(
            .notFound,
            "Row \(index + 1) of the result has z_index \(zIndexes[index]), but the table has no "
              + "row with that row ID.", type: schema.typeName)
        }
        return object
      }
    }
  }

  private func zIndexes() throws -> [Int64] {
    var column = 0
    var zIndexes: [Int64] = []
    try forEachBatch { batch in
      if batch.firstRow == 1 { column = try Self.zIndexColumn(of: batch) }
      for index in 0..<batch.rows.count {
        zIndexes.append(try StatementRow(batch, index).read(Int64.self, at: column))
      }
    }
    return zIndexes
  }

  private static func zIndexColumn(of batch: StatementRows) throws -> Int {
    let columns = (0..<batch.rows.width).filter { batch.columnName($0) == "z_index" }
    guard columns.count == 1 else {
      throw MagicError(
        .invalidQuery,
        "To return objects, a statement must have exactly one column named z_index; it has "
          + "\(columns.count).")
    }
    return columns[0]
  }

  static func expect(_ expected: Int, of batch: StatementRows) throws {
    let found = batch.rows.width
    guard found == expected else {
      throw MagicError(
        .invalidQuery,
        "The number of types must equal the number of columns: the result has \(found) columns, "
          + "the call names \(expected) types.")
    }
  }
}

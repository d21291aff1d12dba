import MagicEngine
import MagicGraph
package import MagicSchema
import MagicStore
package import Magical
import SQLiteEngine
import SQLiteQueries

/// What a statement of raw SQL reads.
package struct StatementRequest<Result: Sendable>: ReadRequest {
  private let statement: RawStatement
  /// The type that objects are read of.
  private let model: ObjectSchema?
  private let body: @Sendable (StatementExecution) throws -> Result

  init(
    _ sql: MagicSQL, _ model: ObjectSchema?,
    _ body: @escaping @Sendable (StatementExecution) throws -> Result
  ) throws {
    statement = sql.statement
    try statement.check()
    self.model = model
    self.body = body
  }

  package func read(on reader: any EngineReader) throws -> Result {
    do {
      return try statement.read(on: ReadAccess(reader).connection, model, body)
    } catch is WritingStatement {
      throw MagicError.writesInRead
    }
  }

  package func region(on reader: any EngineReader) throws -> ReadRegion? {
    try reader.region(of: statement, model)
  }
}

extension MagicStatement {
  /// The request for the rows, each read as the given types.
  package func rowsRequest<each Value: MagicalColumn & Sendable>(
    _ types: repeat (each Value).Type, limit: Int = .max
  ) throws -> StatementRequest<[(repeat each Value)]> {
    try StatementRequest(sql, nil) { try $0.rows(repeat (each Value).self, limit: limit) }
  }

  /// The request for the rows as SQLite has them.
  package func untypedRowsRequest() throws -> StatementRequest<[MagicSQLRow]> {
    try StatementRequest(sql, nil) { try $0.untypedRows() }
  }

  /// The request for the objects that the rows name.
  package func objectsRequest<Model: MagicObject>(
    of type: Model.Type
  ) throws -> StatementRequest<[Model]> {
    let schema = try ObjectSchema.of(type)
    return try StatementRequest(sql, schema) { try $0.objects(of: type, schema) }
  }
}

extension StatementExecution {
  /// The rows as SQLite has them.
  func untypedRows() throws -> [MagicSQLRow] {
    try rows(ofAny: MagicSQLValue.self) { MagicSQLRow(columns: $0, values: $1) }
  }

  /// The objects whose z-indexes the rows name, in the order of the rows.
  func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema
  ) throws -> [Model] {
    try (store as any EngineReader).inSnapshot {
      let zIndexes = try zIndexes()
      return try store.objects(of: type, schema, at: zIndexes).enumerated().map {
        index, object in
        guard let object else {
          throw MagicError(
            .notFound,
            "Row \(index + 1) of the result names z-index \(zIndexes[index]), which is "
              + "not there.", type: schema.typeName)
        }
        return object
      }
    }
  }
}

import MagicEngine
import MagicGraph
package import MagicSchema
import MagicStore
package import Magical

/// What a statement of raw SQL reads.
package struct StatementRequest<Result: Sendable>: ReadRequest {
  private let statement: RawStatement
  /// The type that objects are read of.
  private let model: ObjectSchema?
  private let body: @Sendable (StatementSession) throws -> Result

  init(
    _ sql: MagicSQL, _ model: ObjectSchema?,
    _ body: @escaping @Sendable (StatementSession) throws -> Result
  ) {
    statement = sql.statement
    self.model = model
    self.body = body
  }

  package func read(on reader: any EngineReader) throws -> Result {
    do {
      return try body(
        StatementSession(statement: statement, model: model, engine: .reader(reader)))
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
  ) -> StatementRequest<[(repeat each Value)]> {
    StatementRequest(sql, nil) { try $0.rows(repeat (each Value).self, limit: limit) }
  }

  /// The request for the rows as the database has them.
  package func untypedRowsRequest() -> StatementRequest<[MagicSQLRow]> {
    StatementRequest(sql, nil) { try $0.untypedRows() }
  }

  /// The request for the objects that the rows name.
  package func objectsRequest<Model: MagicObject>(
    of type: Model.Type
  ) throws -> StatementRequest<[Model]> {
    let schema = try ObjectSchema.of(type)
    return StatementRequest(sql, schema) { try $0.objects(of: type, schema) }
  }
}

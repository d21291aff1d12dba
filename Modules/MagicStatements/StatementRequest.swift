import MagicEngine
import MagicGraph
package import MagicSchema
import MagicStore
package import Magical

/// A request for the result of a raw statement.
package struct StatementRequest<Result: Sendable>: ReadRequest {
  private let statement: RawStatement
  /// The type of the objects that are read; nil for values.
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
  /// Returns the request for the rows, decoded as the given types.
  package func rowsRequest<each Value: MagicalColumn & Sendable>(
    _ types: repeat (each Value).Type, limit: Int = .max
  ) -> StatementRequest<[(repeat each Value)]> {
    StatementRequest(sql, nil) { try $0.rows(repeat (each Value).self, limit: limit) }
  }

  /// Returns the request for the rows with their stored values.
  package func untypedRowsRequest() -> StatementRequest<[MagicSQLRow]> {
    StatementRequest(sql, nil) { try $0.untypedRows() }
  }

  /// Returns the request for the objects whose row IDs are in the result.
  package func objectsRequest<Model: MagicObject>(
    of type: Model.Type
  ) throws -> StatementRequest<[Model]> {
    let schema = try ObjectSchema.of(type)
    return StatementRequest(sql, schema) { try $0.objects(of: type, schema) }
  }
}

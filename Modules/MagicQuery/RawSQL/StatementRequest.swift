package import MagicSchema
import MagicStore
package import Magical
import SQLiteChanges

/// What a statement of raw SQL reads.
package struct StatementRequest<Result: Sendable>: ReadRequest {
  private let sql: MagicSQL
  /// The type that objects are read of.
  private let model: ObjectSchema?
  private let body: @Sendable (StatementExecution) throws -> Result

  init(
    _ sql: MagicSQL, _ model: ObjectSchema?,
    _ body: @escaping @Sendable (StatementExecution) throws -> Result
  ) throws {
    try sql.check()
    self.sql = sql
    self.model = model
    self.body = body
  }

  package func read(on connection: StoreConnection) throws -> Result {
    do {
      return try sql.read(on: connection, model, body)
    } catch is WritingStatement {
      throw MagicError.writesInRead
    }
  }

  package func region(on connection: StoreConnection) throws -> ReadRegion? {
    var region = try sql.region(on: connection, model)
    for schema in try model.map({ [$0] + (try $0.loadedTypes) }) ?? [] {
      region.insert(schema, isLoaded: true)
    }
    return region
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

extension MagicSQL {
  /// What the statement looks at; a table of a type that is not there yet as a whole.
  fileprivate func region(
    on store: StoreConnection, _ model: ObjectSchema?
  ) throws -> ReadRegion {
    try mappingSQL {
      var region = ReadRegion()
      for schema in schemas where try !store.hasAllTables(of: schema) {
        region.insert(schema, isLoaded: false)
      }
      guard let text = try text(forReadingOn: store, schemas) else {
        throw MagicError.writesInRead
      }
      region.formUnion(try store.region(of: text))
      return region
    }
  }
}

import MagicEngine
import MagicSchema
import SQLiteEngine
import SQLiteQueries

/// The objects of queries and of raw statements. For now they are fetched by the SQLite connection.
extension EngineReader {
  /// The objects that a query finds.
  func objects<Model: MagicObject>(of type: Model.Type, _ query: PreparedQuery) throws -> [Model] {
    try sqlite.objects(of: type, query)
  }

  /// A page's objects, and the values that its last row is ordered by, where it is full.
  func page<Model: MagicObject>(
    of type: Model.Type, _ query: PreparedQuery
  ) throws -> (objects: [Model], last: [QueryValue]) {
    try sqlite.page(of: type, query)
  }

  /// The objects of rows, in the order of the given z-indexes; nil where there is no such row.
  func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, at zIndexes: [Int64]
  ) throws -> [Model?] {
    try sqlite.objects(of: type, schema, at: zIndexes)
  }

  /// Whether the type has a table.
  func hasTable(of schema: ObjectSchema) throws -> Bool { try sqlite.hasTable(of: schema) }

  private var sqlite: StoreConnection {
    get throws {
      guard let connection = self as? StoreConnection else { throw MagicError.malformedQuery }
      return connection
    }
  }
}

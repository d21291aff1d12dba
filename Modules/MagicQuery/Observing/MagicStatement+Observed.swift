package import Magical
package import MagicSchema
import MagicStore

extension MagicStatement {
  /// The rows as a read that can be repeated, each read as the given types.
  package func observed<each Value: MagicalColumn & Sendable>(
    _ types: repeat (each Value).Type
  ) throws -> ObservedRead<[(repeat each Value)]> {
    try observed(nil) { try $0.rows(repeat (each Value).self) }
  }

  /// The rows as SQLite has them.
  package func observedRows() throws -> ObservedRead<[MagicSQLRow]> {
    try observed(nil) { try $0.untypedRows() }
  }

  /// The objects that the rows name.
  package func observed<Model: MagicObject>(
    objects type: Model.Type
  ) throws -> ObservedRead<[Model]> {
    let schema = try ObjectSchema.of(type)
    return try observed(schema) { try $0.objects(of: type, schema) }
  }

  private func observed<Value: Sendable>(
    _ model: ObjectSchema?, _ body: @escaping @Sendable (SQLRun) throws -> Value
  ) throws -> ObservedRead<Value> {
    try sql.check()
    let sql = sql
    let loaded = try model.map { [$0] + (try $0.loadedTypes) } ?? []
    return ObservedRead(
      region: { store in
        var region = try sql.region(on: store, model)
        for schema in loaded { region.insert(schema, isLoaded: true) }
        return region
      },
      read: { store in
        do {
          return try sql.read(on: store, model, body)
        } catch is WritingStatement {
          throw MagicError.writesInRead
        }
      })
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

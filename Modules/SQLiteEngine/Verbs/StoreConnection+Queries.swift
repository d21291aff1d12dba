import MagicEngine
package import MagicSchema
package import MagicSQLite

extension StoreConnection {
  /// The objects of a query's rows, with all they lead to; its columns are those that a type's
  /// statements select, others may follow.
  ///
  /// - Parameter row: is called at every row.
  package func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, _ select: SQLiteStatement, isSingle: Bool = false,
    row: (SQLiteStatement) -> Void = { _ in }
  ) throws -> [Model] {
    guard let statements = try statements(of: schema) else { return [] }
    return try objects(of: type, statements, select, isSingle: isSingle, row: row)
  }

  /// Whether a type's rows lie in this file.
  package func hasTable(of schema: ObjectSchema) throws -> Bool {
    try statements(of: schema) != nil
  }

  /// Goes through a statement's rows.
  package func each(_ select: SQLiteStatement, _ row: (SQLiteStatement) throws -> Void) throws {
    defer { select.reset() }
    var cancellation = CancellationCheck()
    while try select.step() {
      try row(select)
      try cancellation.count()
    }
  }
}

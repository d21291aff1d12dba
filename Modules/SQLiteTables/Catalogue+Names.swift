import MagicSQLite
package import MagicSchema

extension Catalogue {
  /// Throws if the table, an index or a join table of a type needs a name that another object has.
  ///
  /// - Throws: `MagicError` with `.invalidSchema`, before anything is written.
  package func checkNames(of schema: ObjectSchema) throws {
    let links = TableSQL(schema: schema).links.map(\.name)
    let tables = [schema.tableName] + links
    for name in tables {
      guard let other = try entity(named: name), other.kind != .table else { continue }
      throw nameConflict(name, "a table", by: other, schema)
    }
    for name in schema.indexes.map(\.name) + links.map(LinkTable.index) {
      guard let other = try entity(named: name),
        other.kind != .index || !tables.contains(where: { $0.isName(other.table) })
      else { continue }
      throw nameConflict(name, "an index", by: other, schema)
    }
  }

  /// An object whose name shares the namespace of tables, indexes and views.
  private struct Entity {
    enum Kind: String {
      case table, index, view
    }

    let kind: Kind
    /// The name of the object; for an index, that of its table.
    let table: String

    var description: String {
      switch kind {
      case .table: "the table \(table)"
      case .index: "an index of the table \(table)"
      case .view: "a view"
      }
    }
  }

  private func entity(named name: String) throws(SQLiteError) -> Entity? {
    let statement = try connection.cachedStatement(
      "SELECT \"type\", \"tbl_name\" FROM sqlite_master WHERE \"name\" = ? COLLATE NOCASE")
    defer { statement.reset() }
    try statement.bind(name, at: 1)
    while try statement.step() {
      // Triggers have a separate namespace.
      guard let kind = Entity.Kind(rawValue: statement.column(0).text) else { continue }
      return Entity(kind: kind, table: statement.column(1).text)
    }
    return nil
  }

  private func nameConflict(
    _ name: String, _ kind: String, by other: Entity, _ schema: ObjectSchema
  ) -> MagicError {
    MagicError(
      .invalidSchema,
      "The type needs \(kind) named \(name), but \(other.description) already has this name. Give "
        + "the type another tableName.", type: schema.typeName)
  }
}

import MagicSQLite
package import MagicSchema

extension Catalogue {
  /// Throws if the table, an index or a join table of a type needs a name that another object has.
  ///
  /// - Throws: `MagicError` with `.invalidSchema`, before anything is written.
  package func checkNames(of schema: ObjectSchema) throws {
    let collections = TableSQL(schema: schema).links
    let owned = try collections.compactMap { try $0.owned }
    let links = collections.filter { !$0.column.isOwned }.map(\.name)
    let tables = [schema.tableName] + links + owned.map(\.table)
    try checkOwnedColumns(of: schema, owned)
    for name in tables {
      guard let other = try entity(named: name), other.kind != .table else { continue }
      throw nameConflict(name, "a table", by: other, schema)
    }
    for name in schema.indexes.map(\.name) + links.map(LinkTable.index) + owned.map(\.index) {
      guard let other = try entity(named: name),
        other.kind != .index || !tables.contains(where: { $0.isName(other.table) })
      else { continue }
      throw nameConflict(name, "an index", by: other, schema)
    }
  }

  /// Throws if a column that a type declares has the name of a column of an owned list.
  private func checkOwnedColumns(of schema: ObjectSchema, _ owned: [OwnedColumns]) throws {
    let others = try relationships().compactMap(\.ownedColumns)
      .filter { $0.table.isName(schema.tableName) }
    for list in others {
      try checkOwnedColumns(list, schema.columns.map(\.name), schema.typeName)
    }
    for (column, list) in zip(schema.collections.filter(\.isOwned), owned) {
      let target = try column.target
      try checkOwnedColumns(list, target.columns.map(\.name), target.typeName)
    }
  }

  private func checkOwnedColumns(
    _ list: OwnedColumns, _ names: [String], _ type: String
  ) throws {
    guard let name = names.first(where: { name in list.columns.contains { $0.isName(name) } })
    else { return }
    throw MagicError(
      .invalidSchema,
      "The column \(name) of \(type) has the name of a column of the owned list "
        + "\(list.ownerTable).\(list.property). Give the property another name.", type: type)
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

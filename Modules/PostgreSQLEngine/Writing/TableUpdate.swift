import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLSearch
import PostgreSQLTables

/// Creates the tables of types, and migrates outdated ones, in a transaction.
struct TableUpdate {
  let session: EngineSession
  var progress: (MagicMigrationProgress) -> Void = { _ in }

  /// Creates or migrates the tables of a type and of all types that it refers to.
  func update(_ schema: ObjectSchema) throws { try update([schema]) }

  /// Creates or migrates the tables of types and of all types that they refer to.
  ///
  /// - Parameter dropping: SQL that drops search indexes before. Those of the types are created again.
  func update(_ schemas: [ObjectSchema], dropping: [String] = []) throws {
    let reached = try ObjectSchema.reached(from: schemas)
    for schema in reached {
      _ = try schema.reach
      try session.context.owners.check(schema)
      let definition = TableDefinition(schema: schema)
      try definition.checkNames()
    }
    session.hasNewTables = true
    // The caller may continue the transaction after an error. A transaction that reads a table would
    // let the change of the table wait, and all others behind it.
    let timeout = max(1, Int(session.context.migrationTimeout * 1_000))
    try execute("SAVEPOINT magic_tables; SET LOCAL lock_timeout TO \(timeout)", nil)
    // A table gets its type after the renamings, which look for tables without one. After an error, the
    // type of the table as it is may be used.
    var claimed: [ObjectSchema] = []
    do {
      for sql in dropping { try execute(sql, nil) }
      session.search.forget()
      let hasNew = try update(reached: reached, &claimed)
      if hasNew || !dropping.isEmpty { try execute(Catalogue.noteMigration, nil) }
      session.forgetTables()
      try translatingErrors {
        try session.context.publisher?.didUpdateTables(on: session.connection)
      }
    } catch {
      for schema in claimed { session.context.owners.release(schema) }
      try? session.connection.restore("magic_tables")
      session.forgetTables()
      guard let busy = error as? MagicError, busy.code == .busy else { throw error }
      throw MagicError(
        .busy,
        "The table could not be locked for the migration in \(timeout) milliseconds, because "
          + "another transaction uses it. Nothing was changed. Repeat the call.",
        type: busy.type ?? schemas.first?.typeName, cause: busy.cause)
    }
    try execute("RELEASE magic_tables; SET LOCAL lock_timeout TO DEFAULT", nil)
  }

  /// - Returns: whether other processes must read the catalogue again.
  private func update(
    reached: [ObjectSchema], _ claimed: inout [ObjectSchema]
  ) throws -> Bool {
    let renamed = try session.migrator?.renameTables(of: reached, in: session) ?? []
    for schema in reached where try session.context.owners.claim(schema) { claimed.append(schema) }
    var (missing, outdated): ([ObjectSchema], [ObjectSchema]) = ([], [])
    for schema in reached {
      guard let recorded = try session.recordedType(schema.tableName, for: schema) else {
        missing.append(schema)
        continue
      }
      let isRenamed = renamed.contains { $0 === schema }
      if try isRenamed || !session.isUsable(recorded, by: schema) {
        session.alteredTables.insert(schema.tableName)
        outdated.append(schema)
      }
    }
    for schema in missing {
      for sql in TableDefinition(schema: schema).createTable { try execute(sql, schema) }
    }
    for schema in outdated { try dropComputedIndexes(schema) }
    if !outdated.isEmpty { try migrate(outdated) }
    for schema in missing + outdated {
      for sql in try TableDefinition(schema: schema).createComputedIndexes() {
        try execute(sql, schema)
      }
    }
    // Foreign keys and join tables need the tables of both types.
    for schema in missing {
      let definition = TableDefinition(schema: schema)
      for sql in definition.createIndexes { try execute(sql, schema) }
      for sql in try definition.createForeignKeys(of: Array(schema.columns.indices)) {
        try execute(sql, schema)
      }
      for sql in definition.createAssetTriggers { try execute(sql, schema) }
      for column in schema.storedCollections {
        for sql in try definition.createJoinTable(column) { try execute(sql, schema) }
      }
    }
    for schema in missing + outdated { try record(schema) }
    let newIndexes = try createMissingSearchIndexes(of: reached)
    return !outdated.isEmpty || !renamed.isEmpty
      || newIndexes.contains { schema in !missing.contains { $0 === schema } }
  }

  /// Creates the search indexes that do not exist: those of new tables, and of tables that a copy or an
  /// earlier version of the library has created.
  ///
  /// - Returns: their types.
  private func createMissingSearchIndexes(of schemas: [ObjectSchema]) throws -> [ObjectSchema] {
    var new: [ObjectSchema] = []
    for schema in schemas {
      guard schema.search != nil, try !session.search.hasIndex(of: schema) else { continue }
      try session.search.create(for: schema)
      new.append(schema)
    }
    return new
  }

  /// Drops the indexes over expressions that the type does not declare. A unique one would refuse rows.
  private func dropComputedIndexes(_ schema: ObjectSchema) throws {
    session.fields.removeAll()
    session.fields.append(text: schema.tableName.quoted)
    session.fields.append(text: TableDefinition.computedIndexPrefix)
    let result = try session.run(Catalogue.selectComputedIndexes, schema)
    let declared = try TableDefinition(schema: schema).computedIndexNames()
    for row in 0..<result.count {
      let name = result.text(row, 0)
      if !declared.contains(name) { try execute("DROP INDEX \(name.quoted)", schema) }
    }
  }

  private func migrate(_ schemas: [ObjectSchema]) throws {
    guard let migrator = session.migrator else {
      throw MagicError(
        .needsMigration, "The table differs from the type.", type: schemas[0].typeName)
    }
    // Statements that change a table need that no check of a foreign key is pending.
    try session.checkForeignKeys(.always)
    try migrator.migrateTables(of: schemas, in: session, progress: progress)
    try session.checkForeignKeys(.atEnd)
  }

  private func execute(_ sql: String, _ schema: ObjectSchema?) throws {
    _ = try translatingErrors(schema) { try session.connection.execute(sql) }
  }

  /// Records the type, its relationships and its properties in the catalogue.
  private func record(_ schema: ObjectSchema) throws {
    let fields = session.fields
    fields.removeAll()
    fields.append(text: schema.tableName)
    _ = try session.run(Catalogue.deleteRelationships, schema)
    fields.removeAll()
    fields.append(text: schema.tableName)
    fields.append(text: schema.typeName)
    fields.append(text: schema.fingerprint)
    fields.append(integer: Int64(schema.migrations.version))
    _ = try session.run(Catalogue.insertType, schema)
    for (_, toOne) in schema.toOnes {
      try record(schema, toOne, try toOne.target, nil, toOne.deleteRule)
    }
    for column in schema.storedCollections {
      try record(
        schema, column, try column.target, column.joinTable(of: schema), column.deleteRule)
    }
    try execute(PropertyDescriptions.replace(with: schema), schema)
  }

  private func record(
    _ schema: ObjectSchema, _ property: PropertySchema, _ target: ObjectSchema,
    _ joinTable: String?, _ rule: MagicDeleteRule
  ) throws {
    let fields = session.fields
    fields.removeAll()
    fields.append(text: schema.tableName)
    fields.append(text: property.name)
    fields.append(text: target.tableName)
    if let joinTable { fields.append(text: joinTable) } else { fields.appendNull() }
    fields.append(text: rule.rawValue)
    _ = try session.run(Catalogue.insertRelationship, schema)
  }
}

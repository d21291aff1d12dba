import MagicMigration
import MagicSQLite
import MagicSchema
import Magical
import SQLiteEngine
import SQLiteTables

/// Reads a type from an outdated table of a read-only database, without migrating the table.
struct ReadOnlyProjection {
  private let schema: ObjectSchema
  private let planner: MigrationPlanner
  private let table: TableDescription

  /// - Throws: `MagicError` with `.needsMigration` if the table must be migrated before it can be
  ///   read.
  init(of schema: ObjectSchema, _ planner: MigrationPlanner) throws {
    self.schema = schema
    self.planner = planner
    guard try planner.catalogue.exists(schema.tableName) else {
      throw try Self.refusal(schema, "the table has its former name in the file", nil, planner)
    }
    let stored = try planner.catalogue.describe(schema.tableName)
    guard !stored.isForeign || schema.adoptedTable == nil else {
      throw try Self.refusal(schema, "another program has created the table", nil, planner)
    }
    try TablePlanner.check(stored, for: schema)
    let changes = try StepPlanner.pending(schema, after: stored.version)
    guard !changes.contains(where: { $0.change.readsRows }) else {
      throw try Self.refusal(schema, "not all migration steps have run", nil, planner)
    }
    var steps = StepPlanner(schema: schema, rows: planner.rows, table: stored)
    for index in changes.indices { _ = try steps.operations(for: changes[index...]) }
    table = steps.table
  }

  func statements() throws -> TypeStatements {
    let expressions = try schema.columns.map(expression)
    var known: [String: Bool] = [:]
    for column in schema.collections {
      known[LinkTable(owner: schema, column: column).name] = try hasLinks(column)
    }
    return try TypeStatements(
      schema: schema, connection: planner.catalogue.connection, expressions: expressions,
      hasLinks: { known[$0.name] ?? false })
  }

  /// Returns the expression to select for a column: the column in the file, which may have a former
  /// name, or the default of the property.
  private func expression(_ column: ColumnSchema) throws -> String {
    let names = schema.names(of: column) + (column.isRowID ? [column.property] : [])
    for name in names {
      guard let existing = table.column(named: name), !existing.isKey,
        case .stored(let storedName) = existing.values
      else { continue }
      let target = try (column as? ToOneColumn)?.target.tableName
      guard existing.toOne?.target == target, existing.isFile == column.isFile else {
        throw try refusal(
          "\(name) refers to another type, or is another kind of property, in the file", column)
      }
      let type = existing.type.uppercased()
      // Integers can be read as floating-point numbers.
      guard
        type == TableSQL.declaredType(column.storageClass)
          || type == MagicalStorageClass.integer.rawValue && column.storageClass == .real
      else { throw try refusal("column \(name) has another type in the file", column) }
      if let form = StoredProperty.form(of: column), let stored = existing.form,
        form.misreads(stored)
      {
        throw try refusal("\(name) has values of another kind in the file", column)
      }
      return try storedOrDefault(storedName.quoted, column, existing)
    }
    if column.isRowID { return TableSQL.zIndex.quoted }
    if column.codec == .int, table.hasRowIDPrimary(column, schema) { return TableSQL.zIndex.quoted }
    if column is ToOneColumn, let existing = table.collection(named: column.name) {
      throw try refusal("\(column.name) is a \(existing.relationship.kind) in the file", column)
    }
    switch try defaultValue(of: column) {
    case .expression(let value): return value
    case .null: return "NULL"
    case .file:
      throw try refusal("\(column.name) has a default that must be written to a file", column)
    case .missing: throw try refusal("\(column.name) is required and has no default", column)
    }
  }

  private func defaultValue(of column: ColumnSchema) throws -> SQLDefault {
    try SQLDefault(of: column, in: schema, for: .reading, planner.rows)
  }

  /// Returns the expression for a stored column, which selects the default if a required column is
  /// NULL.
  private func storedOrDefault(
    _ name: String, _ column: ColumnSchema, _ existing: TableDescription.Column
  ) throws -> String {
    guard !column.isNullable, !existing.isRequired else { return name }
    if case .expression(let value) = try defaultValue(of: column) {
      return "ifnull(\(name), \(value))"
    }
    let statistics = RowStatistics(description: table, queries: planner.rows)
    let rows = try statistics.rows(where: { "\($0) IS NULL" }, of: existing)
    guard rows.isEmpty else {
      throw try refusal(
        "\(RowIDText.text(rows, RowIDText.have)) no value for \(column.name), which has no default",
        column)
    }
    return name
  }

  private func hasLinks(_ column: CollectionColumn) throws -> Bool {
    if column.through != nil { return true }
    for name in schema.names(of: column) {
      if let existing = table.column(named: name), !existing.isKey {
        throw try refusal("\(existing.name) is a column in the file", column)
      }
      guard let existing = table.collection(named: name) else { continue }
      let keyType = column.makeKeys().map { TableSQL.declaredType($0.storageClass) }
      guard existing.relationship.kind == column.storedKind,
        try existing.relationship.target == column.target.tableName,
        existing.keyType?.uppercased() == keyType,
        existing.storedTable == LinkTable(owner: schema, column: column).name
      else { throw try refusal("\(name) is another kind of collection in the file", column) }
      return true
    }
    return false
  }

  private func refusal(_ reason: String, _ property: PropertySchema) throws -> MagicError {
    try Self.refusal(schema, reason, property, planner)
  }

  private static func refusal(
    _ schema: ObjectSchema, _ reason: String, _ property: PropertySchema?,
    _ planner: MigrationPlanner
  ) throws -> MagicError {
    MagicError(
      .needsMigration,
      "Table \(schema.tableName) needs a migration, but the database is read-only: "
        + "\(reason). Open the database for writing to migrate the table.",
      type: schema.typeName, property: property?.property,
      plan: try planner.plan(for: [schema]).summary)
  }
}

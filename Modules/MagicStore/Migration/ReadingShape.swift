import Magical
import MagicSQLite
import MagicSchema

/// How a type is read from a file that may not be changed, whose table is of another shape.
struct ReadingShape {
  private let schema: ObjectSchema
  private let catalogue: Catalogue
  private let shape: TableShape

  /// - Throws: `MagicError` with `.needsMigration` where the table must be changed to be read.
  init(of schema: ObjectSchema, _ catalogue: Catalogue) throws {
    self.schema = schema
    self.catalogue = catalogue
    let connection = catalogue.connection
    guard try catalogue.exists(schema.tableName) else {
      throw try Self.refusal(schema, "it has another name in the file", nil, connection)
    }
    let stored = try TableShape(of: schema.tableName, on: connection)
    try TablePlanner.check(stored, for: schema)
    let pending = try StepPlanner.pending(schema, after: stored.version)
    guard !pending.contains(where: { $0.change.readsRows }) else {
      throw try Self.refusal(schema, "it has not taken all migration steps", nil, connection)
    }
    var planner = StepPlanner(schema: schema, connection: connection, shape: stored)
    for index in pending.indices { _ = try planner.works(for: pending, at: index) }
    shape = planner.shape
  }

  func statements() throws -> TypeStatements {
    let expressions = try schema.columns.map(expression)
    var known: [String: Bool] = [:]
    for column in schema.collections {
      known[LinkTable(owner: schema, column: column).name] = try hasLinks(column)
    }
    return try TypeStatements(
      schema: schema, connection: catalogue.connection, expressions: expressions,
      hasLinks: { link throws(SQLiteError) in known[link.name] ?? false })
  }

  /// What to select for a column: the one of the file, under its former name too, or the property's
  /// default.
  private func expression(_ column: ColumnSchema) throws -> String {
    for name in schema.names(of: column) {
      guard let present = shape.column(named: name), !present.isKey,
        case .stored(let storedName) = present.values
      else { continue }
      let target = try (column as? ToOneColumn)?.target.tableName
      guard present.toOne?.target == target, present.isFile == column.isFile else {
        throw try refusal("\(name) leads elsewhere in the file, or is of another kind", column)
      }
      let type = present.type.uppercased()
      // An integer is read as a real number where it is one.
      guard
        type == TableSQL.declaredType(column)
          || type == MagicalStorageClass.integer.rawValue && column.storageClass == .real
      else { throw try refusal("\(name) is of another type in the file", column) }
      return try filled(storedName.quoted, column, present)
    }
    if column is ToOneColumn, let present = shape.collection(named: column.name) {
      throw try refusal("\(column.name) is a \(present.relationship.kind) in the file", column)
    }
    switch try defaultValue(of: column) {
    case .expression(let value): return value
    case .null: return "NULL"
    case .file: throw try refusal("its default must be put into a file first", column)
    case .missing: throw try refusal("a new required property needs a default", column)
    }
  }

  private func defaultValue(of column: ColumnSchema) throws -> SQLDefault {
    try SQLDefault(of: column, in: schema, for: .reading, on: catalogue.connection)
  }

  /// What is stored, with the default where a required column has no value.
  private func filled(
    _ name: String, _ column: ColumnSchema, _ present: TableShape.Column
  ) throws -> String {
    guard !column.isNullable, !present.isRequired else { return name }
    if case .expression(let value) = try defaultValue(of: column) {
      return "ifnull(\(name), \(value))"
    }
    let facts = TableFacts(connection: catalogue.connection, shape: shape)
    let rows = try facts.rows(where: { "\($0) IS NULL" }, of: present)
    guard rows.isEmpty else {
      throw try refusal(
        "\(RowNames.text(rows, RowNames.have)) no value, and there is no default", column)
    }
    return name
  }

  private func hasLinks(_ column: CollectionColumn) throws -> Bool {
    for name in schema.names(of: column) {
      if let present = shape.column(named: name), !present.isKey {
        throw try refusal("\(present.name) is a column in the file", column)
      }
      guard let present = shape.collection(named: name) else { continue }
      let keyType = column.makeKeys().map { LinkTable.keyType($0.storageClass) }
      guard present.relationship.kind == column.kind.rawValue,
        try present.relationship.target == column.target.tableName,
        present.keyType?.uppercased() == keyType,
        present.storedTable == LinkTable(owner: schema, column: column).name
      else { throw try refusal("\(name) is another collection in the file", column) }
      return true
    }
    return false
  }

  private func refusal(_ reason: String, _ property: PropertySchema) throws -> MagicError {
    try Self.refusal(schema, reason, property, catalogue.connection)
  }

  private static func refusal(
    _ schema: ObjectSchema, _ reason: String, _ property: PropertySchema?,
    _ connection: SQLiteConnection
  ) throws -> MagicError {
    MagicError(
      .needsMigration,
      "Table \(schema.tableName) does not have the type's shape, and the database was opened for "
        + "reading alone: \(reason).",
      type: schema.typeName, property: property?.property,
      plan: try MigrationPlanner(connection).plan(for: [schema]))
  }
}

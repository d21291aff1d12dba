import Magical
import MagicSchema
import MagicSQLite

/// What brings an existing table to its type's shape, where that needs no decision: new columns
/// that are optional or have a default, new names, new and dropped indexes.
struct TableUpdate {
  /// The statements, in order.
  let steps: [String]
  /// The new columns that hold real numbers. SQLite may read a number's literal as its neighbour.
  let newReals: [ColumnSchema]

  /// - Throws: `MagicError` with `.needsMigration` for any other difference.
  init(of schema: ObjectSchema, from shape: TableShape) throws {
    let sql = TableSQL(schema: schema)
    let table = schema.tableName.quoted
    var steps: [String] = []
    var newReals: [ColumnSchema] = []
    var hasNewFiles = false
    var known: Set<String> = [TableSQL.zIndex]

    try Self.check(shape, for: schema)
    for column in schema.columns {
      known.insert(column.name.lowercased())
      if let present = shape.column(named: column.name) {
        guard present.isRequired == !column.isNullable else {
          throw Self.refusal(
            schema, "the column is \(present.isRequired ? "required" : "optional") in the file",
            column)
        }
        guard Self.isSame(present, column, shape) else {
          throw Self.refusal(schema, "the column is of another type in the file", column)
        }
        continue
      }
      if let former = schema.formerName(of: column), let present = shape.column(named: former),
        present.isRequired == !column.isNullable,
        Self.isSame(present, column, shape)
      {
        known.insert(former.lowercased())
        steps.append(
          "ALTER TABLE \(table) RENAME COLUMN \(former.quoted) TO \(column.name.quoted)")
        continue
      }
      steps.append(
        "ALTER TABLE \(table) ADD COLUMN \(try sql.definition(column))"
          + (try Self.defaultClause(column, schema)))
      if column.storageClass == .real { newReals.append(column) }
      if column.isFile { hasNewFiles = true }
    }
    if let surplus = shape.columns.first(where: { !known.contains($0.name.lowercased()) }) {
      throw Self.refusal(schema, "the file has a column \(surplus.name) that the type has not")
    }
    let wanted = Set(schema.indexes.map { $0.name.lowercased() })
    let present = Set(shape.indexes.map { $0.lowercased() })
    // Indexes that somebody made by SQL are named otherwise, and stay.
    steps += shape.indexes.filter {
      $0.hasPrefix(IndexSchema.prefix(ofTable: schema.tableName))
        && !wanted.contains($0.lowercased())
    }.map { "DROP INDEX \($0.quoted)" }
    steps += schema.indexes.filter { !present.contains($0.name.lowercased()) }.map(sql.create)
    if hasNewFiles { steps += AssetTriggers(schema).steps }
    self.steps = steps
    self.newReals = newReals
  }

  private static func isSame(
    _ present: TableShape.Column, _ column: ColumnSchema, _ shape: TableShape
  ) -> Bool {
    present.type.uppercased() == TableSQL.declaredType(column)
      && shape.isFile(present) == column.isFile
  }

  private static func check(_ shape: TableShape, for schema: ObjectSchema) throws {
    guard shape.name == schema.tableName else {
      throw MagicError(
        .tableConflict,
        "The file has a table \(shape.name), which is one with \(schema.tableName) to SQLite. "
          + "Give the type that tableName, or another.",
        type: schema.typeName)
    }
    guard shape.column(named: TableSQL.zIndex)?.isKey == true else {
      throw refusal(schema, "the table in the file was not made by this library")
    }
  }

  private static func defaultClause(
    _ column: ColumnSchema, _ schema: ObjectSchema
  ) throws -> String {
    try defaultLiteral(column, schema).map { " DEFAULT \($0)" } ?? ""
  }

  /// The default of a property as SQL; nil for none where NULL does.
  private static func defaultLiteral(
    _ column: ColumnSchema, _ schema: ObjectSchema
  ) throws -> String? {
    if column.isFile {
      switch column.capture(column.template, in: StoreToken(rawValue: 0), marking: { _ in }).state {
      case .unset, .lost: break
      case .none: return "''"
      case .content:
        throw refusal(schema, "the default of a new property of files must have no value", column)
      }
    }
    var writer = LiteralWriter()
    if !column.isFile, !(column is ToOneColumn), try column.write(column.template, to: &writer) {
      return writer.literal
    }
    guard column.isNullable else {
      throw refusal(schema, "a new required property needs a default", column)
    }
    return nil
  }

  /// What to select for each column of a file that may not be changed: the column, under its
  /// former name too, or the property's default.
  ///
  /// - Throws: `MagicError` with `.needsMigration` where there is neither.
  static func readingExpressions(
    of schema: ObjectSchema, from shape: TableShape
  ) throws -> [String] {
    try check(shape, for: schema)
    return try schema.columns.map { column in
      if let present = shape.column(named: column.name)
        ?? schema.formerName(of: column).flatMap({ shape.column(named: $0) })
      {
        return present.name.quoted
      }
      return try defaultLiteral(column, schema) ?? "NULL"
    }
  }

  static func refusal(
    _ schema: ObjectSchema, _ reason: String, _ property: PropertySchema? = nil
  ) -> MagicError {
    MagicError(
      .needsMigration,
      "Table \(schema.tableName) does not have the type's shape: \(reason). Nothing was changed.",
      type: schema.typeName, property: property?.property)
  }
}

extension ObjectSchema {
  /// The name a column had, unless another column of the type has it now.
  func formerName(of column: ColumnSchema) -> String? {
    guard let former = column.formerName,
      !columns.contains(where: { $0.name.lowercased() == former.lowercased() })
    else { return nil }
    return former
  }
}

/// Writes a value as an SQL literal.
struct LiteralWriter: MagicalWriter {
  private(set) var literal: String?
  /// The value, where it is a real number.
  private(set) var real: Double?

  mutating func write(integer: Int64) { literal = String(integer) }

  mutating func write(real: Double) {
    self.real = real
    literal =
      real.isInfinite
      ? (real > 0 ? "9e999" : "-9e999") : String(describing: real)
  }

  mutating func write(text: UnsafeRawBufferPointer) throws {
    guard !text.contains(0) else {
      throw MagicalError.cannotEncode("a default with a NUL character has no literal")
    }
    literal = String(decoding: text, as: UTF8.self).literal
  }

  mutating func write(blob: UnsafeRawBufferPointer) {
    let digits = Array("0123456789ABCDEF")
    literal = "X'" + blob.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined() + "'"
  }
}

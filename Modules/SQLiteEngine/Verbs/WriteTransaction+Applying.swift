package import MagicEngine
package import MagicSchema
import MagicSQLite
import SQLiteTables

extension WriteTransaction {
  package func apply(_ changes: Changeset) throws {
    for group in changes.remainingGroups {
      try translatingErrors(group.schema) { try run(group, of: changes) }
      if changes.isStopped { return }
    }
  }

  private func run(_ group: RowChanges, of changes: Changeset) throws {
    let statements = try statements(of: group.schema)
    switch group.operation {
    case .insert, .insertNew, .upsert: try insert(group, of: changes, statements)
    case .update:
      try createPostponedIndexes()
      try update(group, of: changes, statements)
    case .require:
      for row in group.rows where try !hasRow(changes.rowIDs[row], statements) {
        changes.add(.missing(row: row))
        return changes.stop(after: row)
      }
    case .delete:
      try createPostponedIndexes()
      for row in group.rows {
        if group.schema.version != nil { try requireVersion(of: row, group, changes, statements) }
        try remove(changes.rowIDs[row], statements)
      }
    }
  }

  /// Updates the row that has the primary value of a new row.
  ///
  /// - Returns: the row ID; nil if the row does not exist.
  func updateByPrimary(
    _ schema: ObjectSchema, _ first: Int, of values: FieldBuffer, _ statements: TypeStatements
  ) throws -> Int64? {
    guard let primary = schema.primary else { return nil }
    let update = try statements.updateByPrimary
    try bind(
      first, of: values, schema, columns: 0..<schema.columns.count, to: update, at: 1)
    if let rowID = try store.connection.keyOfUpdatedRow(by: update) { return rowID }
    // Either triggers have updated rows too, or a trigger ignored the update, or the row does not
    // exist.
    guard store.connection.changes > 0 else { return nil }
    return try self.rowID(with: [primary], at: first + primary, in: values, schema)
  }

  package func rowID(
    with columns: [Int], at field: Int, in values: FieldBuffer, _ schema: ObjectSchema
  ) throws -> Int64? {
    try createPostponedIndexes()
    let lookUp = try statements(of: schema).rowID(with: columns)
    defer { lookUp.reset() }
    try bind(field, of: values, schema, columns: columns, to: lookUp, at: 1)
    return try lookUp.step() ? lookUp.column(0).integer : nil
  }

  /// - Throws: `MagicError` with `.constraint` if a trigger prevents the update of a row.
  private func update(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements
  ) throws {
    let schema = group.schema
    let update = try statements.update(group.columns)
    let columns = group.columns.indices
    let autoIncrementField = schema.autoIncrementPrimary.flatMap { columns.firstIndex(of: $0) }
    var first = group.firstField
    for row in group.rows {
      let rowID = changes.rowIDs[row]
      try bind(first, of: changes.values, schema, columns: columns, to: update, at: 1)
      try update.bind(rowID, at: group.width + 1)
      _ = try update.step()
      update.reset()
      if store.connection.changes == 0 {
        try requireVersion(of: row, group, changes, statements)
        guard try !hasRow(rowID, statements) else {
          throw MagicError(
            .constraint, "A trigger of the table prevented the update of a row.",
            type: schema.typeName)
        }
        changes.add(.missing(row: row))
        return changes.stop(after: row)
      } else if let autoIncrementField {
        notePrimary(changes.values[first + autoIncrementField].integer, of: schema)
      }
      first += group.width
    }
  }

  /// Binds the fields of columns. The file of a file column is written first.
  @inline(__always)
  func bind(
    _ first: Int, of values: FieldBuffer, _ schema: ObjectSchema,
    columns: some RandomAccessCollection<Int>, to statement: SQLiteStatement,
    at parameter: Int
  ) throws {
    let fields = values.firstField + first
    let bytes = values.firstByte
    var place = 0
    for column in columns {
      let field = fields[place]
      if case .file = field.kind {
        try bind(fileOf: field, of: values, schema, column, to: statement, at: parameter + place)
      } else {
        try statement.bind(field, of: values, bytes, at: parameter + place)
      }
      place += 1
    }
  }

  private func bind(
    fileOf field: Field, of values: FieldBuffer, _ schema: ObjectSchema, _ column: Int,
    to statement: SQLiteStatement, at parameter: Int
  ) throws {
    let name = try namingProperty(schema, schema.columns[column]) {
      try values.file(of: field).map { try fileName(of: $0) } ?? ""
    }
    try statement.bind(name, at: parameter)
  }
}

package import MagicEngine
package import MagicSchema
import MagicSQLite
import SQLiteTables

extension WriteTransaction {
  package func apply(_ changes: Changeset, from row: Int) throws -> RowAnswer? {
    for group in changes.groups where group.rows.upperBound > row {
      let rows = max(row, group.rows.lowerBound)..<group.rows.upperBound
      let answer = try mapping(group.schema) { try run(group, rows, of: changes) }
      if let answer { return answer }
    }
    return nil
  }

  private func run(
    _ group: RowChanges, _ rows: Range<Int>, of changes: Changeset
  ) throws -> RowAnswer? {
    let statements = try statements(of: group.schema)
    switch group.operation {
    case .insert, .upsert: return try insert(group, rows, of: changes, statements)
    case .update: return try update(group, rows, of: changes, statements)
    case .require:
      for row in rows where try !hasRow(changes.rowIDs[row], statements) {
        return .missing(row: row)
      }
    case .delete:
      for row in rows { try remove(changes.rowIDs[row], statements) }
    }
    return nil
  }

  private func insert(
    _ group: RowChanges, _ rows: Range<Int>, of changes: Changeset, _ statements: TypeStatements
  ) throws -> RowAnswer? {
    let schema = group.schema
    let values = changes.values
    let insert = try statements.insert
    let table = store.rowIDs.table(of: schema)
    let isUpsert = group.operation == .upsert
    let numbers = schema.primary.flatMap { schema.columns[$0].isAssignedByStore ? $0 : nil }
    for row in rows {
      let rowID = changes.rowIDs[row]
      if isUpsert, findsRow(schema),
        let present = try updateByPrimary(group, row, of: changes, statements)
      {
        store.rowIDs.giveBack(rowID, ofTable: table)
        return .wasThere(row: row, rowID: present)
      }
      let isNext = store.rowIDs.isNext(rowID, inTable: table)
      if isNext {
        try insert.bindNull(at: 1)
      } else {
        try insert.bind(rowID, at: 1)
      }
      let first = group.field(ofRow: row)
      for column in 0..<group.width {
        try bind(first + column, of: values, schema, column, to: insert, at: column + 2)
      }
      _ = try insert.step()
      insert.reset()
      if store.connection.changes == 0 {
        guard isUpsert, let present = try updateByPrimary(group, row, of: changes, statements)
        else { throw insertIgnored(schema) }
        note(findsRow: true, schema)
        store.rowIDs.giveBack(rowID, ofTable: table)
        return .wasThere(row: row, rowID: present)
      }
      if isNext { try requireInserted(rowID, schema) }
      store.rowIDs.noteInserted(rowID, inTable: table)
      if isUpsert { note(findsRow: false, schema) }
      if let numbers { notePrimary(values[first + numbers].integer, of: schema) }
    }
    return nil
  }

  /// - Throws: `MagicError` with `.corrupt` where SQLite has given another ID to the last row.
  private func requireInserted(_ rowID: Int64, _ schema: ObjectSchema) throws {
    guard store.connection.lastInsertedRow == rowID else {
      throw MagicError(
        .corrupt, "The table does not end with the row that was its last one.",
        type: schema.typeName)
    }
  }

  private func insertIgnored(_ schema: ObjectSchema) -> MagicError {
    if let primary = schema.primary, schema.columns[primary].isAssignedByStore {
      return MagicError(
        .constraint, "A number that the database counted up to is taken.", type: schema.typeName)
    }
    return MagicError(
      .constraint, "A trigger or constraint of the table did not let the row be inserted.",
      type: schema.typeName)
  }

  /// Updates the row that has a new row's primary.
  ///
  /// - Returns: its row ID; nil where there is none.
  private func updateByPrimary(
    _ group: RowChanges, _ row: Int, of changes: Changeset, _ statements: TypeStatements
  ) throws -> Int64? {
    let schema = group.schema
    guard let primary = schema.primary else { return nil }
    let first = group.field(ofRow: row)
    let update = try statements.updateByPrimary
    for column in 0..<group.width {
      try bind(first + column, of: changes.values, schema, column, to: update, at: column + 1)
    }
    if let rowID = try store.connection.keyOfUpdatedRow(by: update) { return rowID }
    // Triggers have updated rows as well, or a trigger or nothing stands there.
    guard store.connection.changes > 0 else { return nil }
    return try self.rowID(ofPrimary: first + primary, in: changes.values, schema)
  }

  package func rowID(
    ofPrimary field: Int, in values: FieldBuffer, _ schema: ObjectSchema
  ) throws -> Int64? {
    let lookUp = try statements(of: schema).zIndexOfPrimary
    defer { lookUp.reset() }
    try bind(values[field], of: values, to: lookUp, at: 1)
    return try lookUp.step() ? lookUp.column(0).integer : nil
  }

  /// - Throws: `MagicError` with `.constraint` where a trigger keeps a row as it is.
  private func update(
    _ group: RowChanges, _ rows: Range<Int>, of changes: Changeset, _ statements: TypeStatements
  ) throws -> RowAnswer? {
    let schema = group.schema
    let update = try statements.update(group.columns)
    let columns = group.columns.indices
    let numbers = schema.primary.flatMap { primary in
      schema.columns[primary].isAssignedByStore ? columns.firstIndex(of: primary) : nil
    }
    for row in rows {
      let first = group.field(ofRow: row)
      for place in 0..<group.width {
        try bind(
          first + place, of: changes.values, schema, columns[place], to: update, at: place + 1)
      }
      try update.bind(changes.rowIDs[row], at: group.width + 1)
      _ = try update.step()
      update.reset()
      guard store.connection.changes > 0 else {
        guard try !hasRow(changes.rowIDs[row], statements) else {
          throw MagicError(
            .constraint, "A trigger of the table ignored the change of a row.",
            type: schema.typeName)
        }
        return .missing(row: row)
      }
      if let numbers { notePrimary(changes.values[first + numbers].integer, of: schema) }
    }
    return nil
  }

  /// Binds a field of a column, whose file is written first where the column is one of files.
  @inline(__always)
  private func bind(
    _ place: Int, of values: FieldBuffer, _ schema: ObjectSchema, _ column: Int,
    to statement: SQLiteStatement, at parameter: Int
  ) throws {
    let field = values[place]
    guard field.kind == .file else {
      return try bind(field, of: values, to: statement, at: parameter)
    }
    try bind(fileOf: field, of: values, schema, column, to: statement, at: parameter)
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

  @inline(__always)
  private func bind(
    _ field: Field, of values: FieldBuffer, to statement: SQLiteStatement, at parameter: Int
  ) throws(SQLiteError) {
    switch field.kind {
    case .null: try statement.bindNull(at: parameter)
    case .integer: try statement.bind(field.integer, at: parameter)
    case .real: try statement.bind(field.real, at: parameter)
    case .text: try statement.bind(stableText: values.bytes(of: field), at: parameter)
    case .blob: try statement.bind(stableBlob: values.bytes(of: field), at: parameter)
    case .largeText, .largeBlob:
      let bytes = values.largeBytes(of: field)
      let code = bytes.withUnsafeBytes {
        field.kind == .largeText
          ? statement.bind(textBytes: $0, at: parameter)
          : statement.bind(blobBytes: $0, at: parameter)
      }
      try statement.check(code)
    case .file: try statement.bindNull(at: parameter)
    }
  }
}

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

  private func insert(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements
  ) throws {
    let schema = group.schema
    let (values, rowIDs) = (changes.values, changes.rowIDs)
    let list = try ownedInsert(of: group)
    var isWithoutIndexes = try insertsWithoutIndexes(group)
    var insert =
      try list.map { try statements.insert(into: $0.columns) }
      ?? statements.insert(withoutIndexes: isWithoutIndexes)
    let table = store.rowIDs.table(of: schema)
    let isUpsert = group.operation == .upsert
    let autoIncrementField = schema.primary.flatMap {
      schema.columns[$0].isAssignedByStore ? $0 : nil
    }
    let boundColumns = statements.boundColumns
    let hasChosenRowIDs = group.operation != .insert && schema.hasRowIDPrimary
    var findsRows = isUpsert && !isWithoutIndexes && findsRow(schema)
    var first = group.firstField
    for row in group.rows {
      let rowID = rowIDs[row]
      var present: Int64?
      if findsRows { present = try updateByPrimary(schema, first, of: values, statements) }
      if present == nil {
        // Triggers of users may insert a row before this one.
        let isOpen =
          nextInTable.rowID == rowID && Int(nextInTable.table) == table
          && store.rowIDs.hasUserTriggers == true && !hasChosenRowIDs
        let isNext = store.rowIDs.isNext(rowID, inTable: table)
        try isNext || isOpen ? insert.bindNull(at: 1) : insert.bind(rowID, at: 1)
        try bind(first, of: values, schema, columns: boundColumns, to: insert, at: 2)
        try list?.bind(first + group.columnCount, of: values, to: insert)
        _ = try insert.step()
        insert.reset()
        if store.connection.changes > 0 {
          if isOpen {
            let inserted = store.connection.lastInsertedRow
            if inserted != rowID { changes.add(.otherRow(row: row, rowID: inserted)) }
          } else if isNext {
            try requireInserted(rowID, schema)
          }
          store.rowIDs.noteInserted(rowID, inTable: table)
          list?.note(first + group.columnCount, of: values, in: &placed)
          findsRows = false
          if isWithoutIndexes, store.connection.hasViolations {
            isWithoutIndexes = try insertsWithoutIndexes(group)
            insert = try statements.insert()
          }
        } else {
          if isUpsert { present = try updateByPrimary(schema, first, of: values, statements) }
          guard present != nil else { throw try insertIgnored(group, first, of: values) }
          findsRows = true
        }
      }
      if let present { try note(updated: present, row, of: changes, table, statements) }
      if let autoIncrementField {
        notePrimary(values[first + autoIncrementField].integer, of: schema)
      }
      first += group.width
    }
    if isUpsert { note(findsRow: findsRows, schema) }
  }

  /// Returns the inserts of the members of an owned list; nil for other rows.
  private func ownedInsert(of group: RowChanges) throws -> OwnedInsert? {
    guard let list = group.list else { return nil }
    return try OwnedInsert(list, of: statements(of: list.owner), on: store)
  }

  /// - Throws: `MagicError` with `.corrupt` if SQLite has given another row ID to the inserted row.
  private func requireInserted(_ rowID: Int64, _ schema: ObjectSchema) throws {
    guard store.connection.lastInsertedRow == rowID else {
      throw MagicError(
        .corrupt,
        "SQLite assigned a row ID that does not follow the last one. The table is damaged.",
        type: schema.typeName)
    }
  }

  private func insertIgnored(
    _ group: RowChanges, _ first: Int, of values: FieldBuffer
  ) throws -> MagicError {
    if case .insertNew = group.operation, let primary = group.schema.primary,
      try rowID(with: [primary], at: first + primary, in: values, group.schema) != nil
    {
      return MagicError(
        .notUnique, "Another row has the primary value of the new object. Nothing was written.",
        type: group.schema.typeName, property: group.schema.columns[primary].property)
    }
    if case .insert = group.operation, group.schema.primary != nil {
      return MagicError(
        .constraint, "The next auto-increment value of the primary property already exists.",
        type: group.schema.typeName)
    }
    return MagicError(
      .constraint, "A trigger or constraint of the table prevented the insertion of the row.",
      type: group.schema.typeName)
  }

  /// Updates the row that has the primary value of a new row.
  ///
  /// - Returns: the row ID; nil if the row does not exist.
  private func updateByPrimary(
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
    let autoIncrementField = schema.primary.flatMap { primary in
      schema.columns[primary].isAssignedByStore ? columns.firstIndex(of: primary) : nil
    }
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
  private func bind(
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

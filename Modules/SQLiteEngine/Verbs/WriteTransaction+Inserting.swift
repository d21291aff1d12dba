import MagicEngine
import MagicSchema
import MagicSQLite

extension WriteTransaction {
  /// Inserts rows. Rows whose primary value exists are updated, if the operation is an upsert.
  func insert(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements
  ) throws {
    let schema = group.schema
    let (values, rowIDs) = (changes.values, changes.rowIDs)
    let list = try ownedInsert(of: group)
    let isUpsert = group.operation == .upsert
    let isWithoutIndexes = try insertsWithoutIndexes(group)
    let done = try insertBatches(group, isWithoutIndexes, of: changes, statements)
    guard done < group.rows.count else { return }
    let insert =
      try list.map { try statements.insert(into: $0.columns) }
      ?? statements.insert(withoutIndexes: isWithoutIndexes)
    let table = store.rowIDs.table(of: schema)
    let boundColumns = statements.boundColumns
    let autoIncrementPrimary = schema.autoIncrementPrimary
    let hasChosenRowIDs = group.operation != .insert && schema.hasRowIDPrimary
    var findsRows = isUpsert && !isWithoutIndexes && findsRow(schema)
    var first = group.firstField + done * group.width
    for row in group.rows.dropFirst(done) {
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
        } else {
          if isUpsert { present = try updateByPrimary(schema, first, of: values, statements) }
          guard present != nil else { throw try insertIgnored(group, first, of: values) }
          findsRows = true
        }
      }
      if let present { try note(updated: present, row, of: changes, table, statements) }
      if let autoIncrementPrimary {
        notePrimary(values[first + autoIncrementPrimary].integer, of: schema)
      }
      first += group.width
    }
    if isUpsert { note(findsRow: findsRows, schema) }
  }

  /// Inserts rows in batches, if no primary value must be compared, as long as a whole batch remains.
  ///
  /// - Returns: the number of inserted rows.
  private func insertBatches(
    _ group: RowChanges, _ isWithoutIndexes: Bool, of changes: Changeset,
    _ statements: TypeStatements
  ) throws -> Int {
    let (schema, count) = (group.schema, TypeStatements.batchCount)
    guard isWithoutIndexes || schema.primary == nil,
      group.rows.count >= count, group.list == nil, store.rowIDs.hasUserTriggers == false,
      let insert = try statements.insertBatch
    else { return 0 }
    let (values, rowIDs) = (changes.values, changes.rowIDs)
    let table = store.rowIDs.table(of: schema)
    let (boundColumns, parameters) = (statements.boundColumns, schema.columns.count + 1)
    var (first, start) = (group.firstField, group.rows.lowerBound)
    repeat {
      // A row ID that was reserved ahead may be between them.
      let isNext =
        store.rowIDs.isNext(rowIDs[start], inTable: table)
        && (1..<count).allSatisfy { rowIDs[start + $0] == rowIDs[start] + Int64($0) }
      for row in 0..<count {
        let parameter = row * parameters + 1
        try isNext
          ? insert.bindNull(at: parameter) : insert.bind(rowIDs[start + row], at: parameter)
        try bind(first, of: values, schema, columns: boundColumns, to: insert, at: parameter + 1)
        first += group.width
      }
      _ = try insert.step()
      insert.reset()
      guard store.connection.changes == count else {
        throw try insertIgnored(group, first - group.width, of: values)
      }
      if isNext { try requireInserted(rowIDs[start + count - 1], schema) }
      for row in start..<start + count { store.rowIDs.noteInserted(rowIDs[row], inTable: table) }
      start += count
    } while start + count <= group.rows.upperBound
    if let primary = schema.autoIncrementPrimary {
      for row in group.rows.lowerBound..<start {
        notePrimary(values[group.field(ofRow: row) + primary].integer, of: schema)
      }
    }
    return start - group.rows.lowerBound
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
}

package import MagicEngine
package import MagicSchema

/// Runs changesets.
extension MemoryTransaction {
  package func apply(_ changes: Changeset) throws {
    defer { trace(changes) }
    for group in changes.remainingGroups {
      var cancellation = CancellationCheck()
      for row in group.rows {
        try cancellation.count()
        guard let outcome = try run(row, of: group, changes) else { continue }
        changes.add(outcome)
        if case .missing = outcome { return changes.stop(after: row) }
      }
    }
  }

  /// Traces the rows whose assumptions were correct.
  private func trace(_ changes: Changeset) {
    guard let trace = database.trace else { return }
    let others = Set(changes.outcomes.map(\.row))
    for (row, line) in changes.description.split(separator: "\n").enumerated()
    where !others.contains(row) { trace(String(line)) }
  }

  /// - Returns: The outcome of a row if an assumption of the changeset was wrong, else nil.
  private func run(_ row: Int, of group: RowChanges, _ changes: Changeset) throws -> RowOutcome? {
    let (schema, rowID) = (group.schema, changes.rowIDs[row])
    let first = group.field(ofRow: row)
    let values = (0..<group.columnCount).map {
      StoredValue(changes.values[first + $0], in: changes.values)
    }
    switch group.operation {
    case .insert: try insert(StoredRow(rowID: rowID, values: values), schema)
    case .insertNew:
      if let primary = schema.primary, try self.rowID(ofPrimary: values[primary], schema) != nil {
        throw MagicError(
          .notUnique, "Another row has the primary value of the new object. Nothing was written.",
          type: schema.typeName, property: schema.columns[primary].property)
      }
      try insert(StoredRow(rowID: rowID, values: values), schema)
    case .upsert:
      guard let primary = schema.primary,
        let present = try self.rowID(ofPrimary: values[primary], schema)
      else {
        try insert(StoredRow(rowID: rowID, values: values), schema)
        return nil
      }
      try update(present, Array(zip(values.indices, values)), schema)
      guard present != rowID else { return nil }
      tables.change(schema) { if $0.lastRowID == rowID { $0.lastRowID -= 1 } }
      return .otherRow(row: row, rowID: present)
    case .update:
      guard try hasRow(rowID, of: schema) else { return .missing(row: row) }
      try update(rowID, Array(zip(group.columns.indices, values)), schema)
    case .require: return try hasRow(rowID, of: schema) ? nil : .missing(row: row)
    case .delete: try tables.delete([rowID], of: schema)
    }
    return nil
  }

  private func insert(_ row: StoredRow, _ schema: ObjectSchema) throws {
    if let primary = schema.primary, try rowID(ofPrimary: row.values[primary], schema) != nil {
      throw MagicError(
        .constraint, "The next auto-increment value of the primary property already exists.",
        type: schema.typeName)
    }
    try tables.change(schema) { try $0.insert(row) }
    if !schema.toOnes.isEmpty { tables.noteReferences(of: row.rowID, schema) }
  }

  func update(
    _ rowID: Int64, _ changes: [(column: Int, value: StoredValue)], _ schema: ObjectSchema
  ) throws {
    for (column, value) in changes where value.isNull && !schema.columns[column].isNullable {
      throw MagicError(
        .constraint, "Column \(schema.columns[column].name) cannot be NULL.", type: schema.typeName)
    }
    try tables.change(schema) { try $0.update(rowID, changes) }
    if !schema.toOnes.isEmpty { tables.noteReferences(of: rowID, schema) }
  }

  package func removeAll(_ schema: ObjectSchema) throws -> Int {
    guard let table = try tables.table(of: schema) else { return 0 }
    try tables.delete(table.rows.keys, of: schema)
    return table.rows.count
  }

  // MARK: Queries

  package func delete(_ query: PreparedQuery) throws -> Int {
    let rows = try memoryReader.rowIDs(of: query)
    try tables.delete(rows, of: query.schema)
    return rows.count
  }

  package func update(_ query: PreparedQuery) throws -> Int {
    guard case .update(let columns) = query.result else { throw MagicError.malformedQuery }
    guard try tables.table(of: query.schema) != nil else { return 0 }
    let rows = try memoryReader.assignedRows(of: query, columns)
    tables.change(query.schema) { $0.endAssigning() }
    for row in rows { try update(row.rowID, Array(zip(columns, row.values)), query.schema) }
    return rows.count
  }
}

extension MemoryTransaction {
  package func run(
    _ statement: RawStatement, _ model: ObjectSchema?, limit: Int,
    _ use: (StatementRows) throws -> Void
  ) throws -> Int { throw MagicError.noDialect }
}

package import MagicEngine
package import MagicSchema

/// Runs changesets.
extension MemoryTransaction {
  /// Runs the changes when they are completed, as a server that the caller does not wait for.
  package func start(_ changes: Changeset) throws -> Bool {
    try complete()
    started = changes
    return true
  }

  package func complete() throws {
    guard let changes = started else { return }
    started = nil
    try apply(changes)
  }

  package func apply(_ changes: Changeset) throws {
    try complete()
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
      return try upsert(row, StoredRow(rowID: rowID, values: values), present, schema, changes)
    case .update:
      guard try hasRow(rowID, of: schema) else { return .missing(row: row) }
      try requireVersion(of: row, group, changes)
      try update(rowID, Array(zip(group.columns.indices, values)), schema)
    case .require: return try hasRow(rowID, of: schema) ? nil : .missing(row: row)
    case .delete:
      try requireVersion(of: row, group, changes)
      try tables.delete([rowID], of: schema)
    }
    return nil
  }

  /// Updates all columns of a stored row, and increments its version.
  private func upsert(
    _ index: Int, _ row: StoredRow, _ present: Int64, _ schema: ObjectSchema, _ changes: Changeset
  ) throws -> RowOutcome? {
    var values = row.values
    var version: Int64?
    if let column = schema.version, let stored = try self.version(ofRow: present, schema) {
      version = stored + 1
      values[column] = .integer(stored + 1)
    }
    try update(present, Array(zip(values.indices, values)), schema)
    let isOther = present != row.rowID
    if isOther {
      tables.change(schema) { if $0.lastRowID == row.rowID { $0.lastRowID -= 1 } }
    }
    guard let version else { return isOther ? .otherRow(row: index, rowID: present) : nil }
    if isOther { changes.add(.otherRow(row: index, rowID: present)) }
    return .updated(row: index, version: Int(version))
  }

  /// - Throws: `MagicError` with `.conflict` if the row has another version than its object.
  private func requireVersion(
    of row: Int, _ group: RowChanges, _ changes: Changeset
  ) throws {
    let rowID = changes.rowIDs[row]
    guard let expected = group.expectedVersion(ofRow: row, in: changes.values),
      let stored = try version(ofRow: rowID, group.schema), stored != expected
    else { return }
    throw MagicError.conflict(group.schema, rowID: rowID, version: expected, stored: stored)
  }

  private func version(ofRow rowID: Int64, _ schema: ObjectSchema) throws -> Int64? {
    guard let version = schema.version else { return nil }
    return try tables.table(of: schema)?.rows[rowID]?.values[version].rowID
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

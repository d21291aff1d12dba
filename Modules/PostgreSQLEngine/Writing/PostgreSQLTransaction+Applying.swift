package import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Runs changesets. The rows of a group share a round trip.
extension PostgreSQLTransaction {
  /// The number of rows from which COPY is used for new rows.
  private static var copyCount: Int { 4 }
  /// The number of rows from which COPY is used for rows that may exist.
  private static var upsertCopyCount: Int { 16 }

  /// A call has round trips, whose time is longer than that of a few rows.
  package var rowLimit: Int { 2_048 }

  package func apply(_ changes: Changeset) throws {
    for group in changes.remainingGroups {
      try Task.checkCancellation()
      let statements = try statements(of: group.schema)
      note(written: group.schema.tableName)
      try translatingErrors(group.schema) { try run(group, of: changes, statements) }
      if changes.isStopped { return }
    }
  }

  private func run(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements
  ) throws {
    let schema = group.schema
    if !schema.toOnes.isEmpty { hasUncheckedReferences = true }
    if !schema.fileColumns.isEmpty { try session.storeAssets(of: group, changes) }
    if isShared, try runLater(group, of: changes, statements) { return }
    switch group.operation {
    case .insert, .insertNew: try insert(group, of: changes, statements)
    case .upsert: try upsert(group, of: changes, statements)
    case .update: try update(group, of: changes, statements)
    case .require:
      let known = try versions(of: group, changes, statements)
      for row in group.rows where known[changes.rowIDs[row]] == nil {
        changes.add(.missing(row: row))
        return changes.stop(after: row)
      }
    case .delete:
      try requireVersions(of: group, changes, statements)
      try remove(changes.rowIDs[group.rows], from: schema.tableName)
    }
    notePrimaries(of: group, changes)
  }

  // MARK: Inserts

  private func insert(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements
  ) throws {
    let fields = session.fields
    do {
      if group.rows.count >= Self.copyCount {
        try appendCopy(of: group, changes, statements)
        try session.connection.copy(statements.copy, in: fields)
      } else {
        for row in group.rows {
          fields.removeAll()
          try append(row, of: group, changes, statements)
          try session.connection.run(statements.statement(.insert), fields)
        }
      }
    } catch let error as PostgreSQLError where error.sqlState == "23505" {
      throw takenPrimary(error, group)
    }
  }

  /// Returns the error for a row whose primary value exists.
  private func takenPrimary(_ error: PostgreSQLError, _ group: RowChanges) -> any Error {
    let schema = group.schema
    guard let primary = schema.primary, let name = error.constraint,
      TableDefinition.columns(ofConstraint: name, in: schema) == [primary]
    else { return error }
    guard case .insertNew = group.operation else {
      return MagicError(
        .constraint, "The next auto-increment value of the primary property already exists.",
        type: schema.typeName, cause: error)
    }
    return MagicError(
      .notUnique, "Another row has the primary value of the new object. Nothing was written.",
      type: schema.typeName, property: schema.columns[primary].property, cause: error)
  }

  /// Appends the row ID and the stored columns of a new row.
  func append(
    _ row: Int, of group: RowChanges, _ changes: Changeset, _ statements: TypeStatements
  ) throws {
    session.fields.append(integer: changes.rowIDs[row])
    let first = group.field(ofRow: row)
    for column in statements.storedColumns {
      try session.encode(changes.values[first + column], of: changes.values, column, statements)
    }
  }

  private func appendCopy(
    of group: RowChanges, _ changes: Changeset, _ statements: TypeStatements
  ) throws {
    session.fields.removeAll()
    session.fields.appendCopyHeader()
    for row in group.rows {
      session.fields.beginCopyRow(statements.storedColumns.count + 1)
      try append(row, of: group, changes, statements)
    }
    session.fields.appendCopyTrailer()
  }

  /// Inserts rows if none of their primary values exists.
  ///
  /// - Returns: whether they were inserted.
  private func insertAll(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements
  ) throws -> Bool {
    try appendCopy(of: group, changes, statements)
    let copy = "SAVEPOINT magic_copy; \(statements.copy)"
    let inserted = Result { try session.connection.copy(copy, in: session.fields) }
    switch inserted {
    case .success: try session.connection.execute("RELEASE magic_copy")
    case .failure(let error as PostgreSQLError) where error.sqlState == "23505":
      try session.connection.execute("ROLLBACK TO magic_copy; RELEASE magic_copy")
      return false
    case .failure(let error): throw error
    }
    return true
  }

  private func upsert(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements
  ) throws {
    if group.rows.count >= Self.upsertCopyCount, try insertAll(group, of: changes, statements) {
      return
    }
    let upsert = statements.statement(.upsert)
    let results = try session.connection.pipelining([upsert]) { send in
      for row in group.rows {
        session.fields.removeAll()
        try append(row, of: group, changes, statements)
        try send(upsert, session.fields)
      }
    }
    for (row, result) in zip(group.rows, results) where result.count > 0 {
      let rowID = result.integer(0, 0)
      if rowID != changes.rowIDs[row] { changes.add(.otherRow(row: row, rowID: rowID)) }
      if group.schema.version != nil, !result.isNull(0, 1) {
        changes.add(.updated(row: row, version: Int(result.integer(0, 1))))
      }
    }
  }

  // MARK: Updates

  /// Updates rows. Rows after a missing one may be updated too: the same values are written again
  /// when the caller continues after it.
  private func update(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements
  ) throws {
    try requireVersions(of: group, changes, statements)
    let update = statements.update(group.columns)
    let columns = Array(group.columns.indices)
    let isVersioned = group.schema.version != nil
    let known = isVersioned ? try versions(of: group, changes, statements) : [:]
    var sent: [Int] = []
    let results = try session.connection.pipelining([update]) { send in
      for row in group.rows {
        // The version of a row must not be written twice.
        if isVersioned, known[changes.rowIDs[row]] == nil { return }
        let first = group.field(ofRow: row)
        session.fields.removeAll()
        for (place, column) in columns.enumerated() {
          try session.encode(changes.values[first + place], of: changes.values, column, statements)
        }
        session.fields.append(integer: changes.rowIDs[row])
        try send(update, session.fields)
        sent.append(row)
      }
    }
    let updated = zip(sent, results).prefix { $0.1.affectedCount > 0 }.count
    guard updated < group.rows.count else { return }
    let row = group.rows.lowerBound + updated
    changes.add(.missing(row: row))
    changes.stop(after: row)
  }

  /// Returns the versions of the rows that exist, by their row IDs; 0 for a type without versions.
  private func versions(
    of group: RowChanges, _ changes: Changeset, _ statements: TypeStatements
  ) throws -> [Int64: Int64] {
    session.fields.removeAll()
    session.fields.append(integers: changes.rowIDs[group.rows])
    let result = try session.run(statements.statement(.selectVersions), group.schema)
    return Dictionary(
      uniqueKeysWithValues: (0..<result.count).map {
        (result.integer($0, 0), result.integer($0, 1))
      })
  }

  /// - Throws: `MagicError` with `.conflict` if a row has another version than its object.
  private func requireVersions(
    of group: RowChanges, _ changes: Changeset, _ statements: TypeStatements
  ) throws {
    guard group.schema.version != nil else { return }
    let known = try versions(of: group, changes, statements)
    for row in group.rows {
      guard let expected = group.expectedVersion(ofRow: row, in: changes.values) else { return }
      let rowID = changes.rowIDs[row]
      guard let stored = known[rowID] else {
        // The caller decides about a missing row before the rows after it.
        if case .update = group.operation { return }
        continue
      }
      guard stored == expected else {
        throw MagicError.conflict(
          group.schema, rowID: rowID, version: expected, stored: stored)
      }
    }
  }

  // MARK: Primaries

  /// Records the primaries that the program has chosen.
  private func notePrimaries(of group: RowChanges, _ changes: Changeset) {
    guard let primary = group.schema.countedColumn, counters[group.schema.ordinal] != nil else {
      return
    }
    let place: Int?
    switch group.operation {
    case .insert, .insertNew, .upsert: place = primary
    case .update: place = group.columns.indices.firstIndex(of: primary)
    case .require, .delete: place = nil
    }
    guard let place else { return }
    for row in group.rows {
      note(primary: changes.values[group.field(ofRow: row) + place].integer, of: group.schema)
    }
  }
}

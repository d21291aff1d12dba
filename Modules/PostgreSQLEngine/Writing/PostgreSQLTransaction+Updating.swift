import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Updates rows.
extension PostgreSQLTransaction {
  /// The number of rows from which one statement updates those of a type. The server may read a whole
  /// table for it, which then conflicts with other transactions that write to the table.
  private static var togetherCount: Int { 64 }

  /// Updates rows with one statement for the same columns of each type, and then inserts those of each type
  /// with one COPY. The order of the rows has no meaning, because each of them is written once, and because
  /// nothing is written if an index finds a conflict, which another order may not have.
  ///
  /// - Returns: false if the rows must be written in their order; then nothing was written.
  func writeTogether(
    _ groups: ArraySlice<RowChanges>, of changes: Changeset
  ) throws -> Bool {
    let updates = groups.filter { $0.operation == .update }
    guard Self.count(updates) >= Self.togetherCount,
      updates.allSatisfy({ $0.schema.version == nil }), Self.areDistinct(updates, changes),
      updates.count == groups.count || !session.hasUserTriggers
    else { return false }
    let batches = Self.batches(of: updates)
    let insertions = Self.batches(of: groups.filter { $0.operation != .update })
    for batch in batches + insertions { try prepare(batch, of: changes) }
    let savepoint = try session.beginSavepoint()
    var missing: Int?
    for batch in batches + insertions {
      let schema = batch[0].schema
      do {
        guard batch[0].operation == .update else {
          try copy(batch, of: changes, statements(of: schema), statements(of: schema).copy)
          continue
        }
        let row = try updateTogether(batch, of: changes)
        missing = [missing, row].compactMap(\.self).min()
        // The row may be one of those that are inserted.
        if missing != nil, !insertions.isEmpty { return try writeInOrder(since: savepoint) }
      } catch {
        // A value may exist twice for a moment.
        guard let conflict = error as? PostgreSQLError,
          conflict.sqlState == "23505" || conflict.sqlState == "23P01"
        else { return try translatingErrors(schema) { throw error } }
        return try writeInOrder(since: savepoint)
      }
    }
    session.endSavepoint(savepoint)
    for group in groups { notePrimaries(of: group, changes) }
    if let missing {
      changes.add(.missing(row: missing))
      changes.stop(after: missing)
    }
    return true
  }

  /// Discards what was written together.
  private func writeInOrder(since savepoint: String) throws -> Bool {
    try session.restore(savepoint)
    return false
  }

  /// Updates the same columns of rows of a type with one statement.
  ///
  /// - Returns: the first row that is missing.
  private func updateTogether(_ groups: [RowChanges], of changes: Changeset) throws -> Int? {
    let statements = try statements(of: groups[0].schema)
    let update = statements.updateMany(groups[0].columns) { session.queries.retire($0) }
    let rows = try appendValues(of: groups, changes, statements)
    let result = try session.connection.run(update, session.fields)
    guard result.count < rows.count else { return nil }
    let updated = Set((0..<result.count).map { Int(result.integer($0, 0)) - 1 })
    return rows.enumerated().filter { !updated.contains($0.offset) }.map(\.element).min()
  }

  /// Whether no row of a table occurs twice.
  private static func areDistinct(
    _ groups: [RowChanges], _ changes: Changeset
  ) -> Bool {
    var known: [String: Set<Int64>] = [:]
    return groups.allSatisfy { group in
      changes.rowIDs[group.rows].allSatisfy {
        known[group.schema.tableName, default: []].insert($0).inserted
      }
    }
  }

  /// Appends arrays of the new values of each column, and of the row IDs.
  ///
  /// - Returns: the indexes of the rows.
  private func appendValues(
    of groups: [RowChanges], _ changes: Changeset, _ statements: TypeStatements
  ) throws -> [Int] {
    let rows = groups.flatMap(\.rows)
    session.fields.removeAll()
    for (place, column) in groups[0].columns.indices.enumerated() {
      session.fields.beginArray(of: statements.types[column], count: rows.count)
      for group in groups {
        for row in group.rows {
          let field = changes.values[group.field(ofRow: row) + place]
          try session.encode(field, of: changes.values, column, statements)
        }
      }
      session.fields.endArray()
    }
    session.fields.append(integers: rows.map { changes.rowIDs[$0] })
    return rows
  }

  /// Updates rows. Rows after a missing one may be updated too: the same values are written again
  /// when the caller continues after it.
  func update(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements
  ) throws {
    for rows in Self.parts(of: group.rows, changes) {
      let known = try requireVersions(of: rows, group, changes, statements)
      let updated = try update(rows, of: group, changes, statements, known)
      if updated < rows.count {
        changes.add(.missing(row: rows.lowerBound + updated))
        return changes.stop(after: rows.lowerBound + updated)
      }
    }
  }

  /// Requires that rows exist.
  func require(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements
  ) throws {
    for rows in Self.parts(of: group.rows, changes) {
      let known = try storedVersions(of: changes.rowIDs[rows], statements)
      guard let missing = rows.first(where: { known[changes.rowIDs[$0]] == nil }) else { continue }
      changes.add(.missing(row: missing))
      return changes.stop(after: missing)
    }
  }

  /// Returns rows in parts, each of which is sent at once. After a missing row the next one is often missing
  /// too, and then the rows of a part are sent again: the first part is small, and the parts grow.
  private static func parts(
    of rows: Range<Int>, _ changes: Changeset
  ) -> some Sequence<Range<Int>> {
    let count = changes.isResumed ? 4 : pipelineLimit
    return sequence(state: (first: rows.lowerBound, count: count)) { next in
      guard next.first < rows.upperBound else { return nil }
      let part = next.first..<min(rows.upperBound, next.first + next.count)
      next = (part.upperBound, min(2 * next.count, pipelineLimit))
      return part
    }
  }

  /// Updates rows of a group, and returns the number of rows before a missing one.
  ///
  /// - Parameter known: the versions of the rows that exist, for a type with versions.
  private func update(
    _ rows: Range<Int>, of group: RowChanges, _ changes: Changeset, _ statements: TypeStatements,
    _ known: [Int64: Int64]
  ) throws -> Int {
    let update = statements.update(group.columns) { session.queries.retire($0) }
    let isVersioned = group.schema.version != nil
    var sent: [Int] = []
    let results = try session.connection.pipelining([update]) { send in
      for row in rows {
        // The version of a row must not be written twice.
        if isVersioned, known[changes.rowIDs[row]] == nil { return }
        try setFields(toUpdate: row, of: group, changes, statements)
        try send(update, session.fields)
        sent.append(row)
      }
    }
    return zip(sent, results).prefix { $0.1.affectedCount > 0 }.count
  }

  /// Sets the parameters of the statement that updates a row.
  func setFields(
    toUpdate row: Int, of group: RowChanges, _ changes: Changeset, _ statements: TypeStatements
  ) throws {
    var next = group.field(ofRow: row)
    session.fields.removeAll()
    for column in group.columns.indices {
      try session.encode(changes.values[next], of: changes.values, column, statements)
      next += 1
    }
    session.fields.append(integer: changes.rowIDs[row])
  }

  /// Returns the versions of the rows with row IDs that exist; 0 for a type without versions.
  func storedVersions(
    of rowIDs: some Collection<Int64>, _ statements: TypeStatements
  ) throws -> [Int64: Int64] {
    session.fields.removeAll()
    session.fields.append(integers: rowIDs)
    let result = try session.run(statements.statement(.selectVersions), statements.schema)
    return Dictionary(
      uniqueKeysWithValues: (0..<result.count).map {
        (result.integer($0, 0), result.integer($0, 1))
      })
  }

  /// Checks the versions of rows.
  ///
  /// - Returns: the versions of the rows that exist; none for a type without versions.
  /// - Throws: `MagicError` with `.conflict` if a row has another version than its object.
  @discardableResult
  func requireVersions(
    of rows: Range<Int>, _ group: RowChanges, _ changes: Changeset, _ statements: TypeStatements
  ) throws -> [Int64: Int64] {
    guard group.schema.version != nil else { return [:] }
    let stored = try storedVersions(of: changes.rowIDs[rows], statements)
    var known = stored
    for row in rows {
      guard let expected = group.expectedVersion(ofRow: row, in: changes.values) else {
        return stored
      }
      let rowID = changes.rowIDs[row]
      guard let version = known[rowID] else {
        // The caller decides about a missing row before the rows after it.
        if case .update = group.operation { return stored }
        continue
      }
      guard version == expected else {
        throw MagicError.conflict(
          group.schema, rowID: rowID, version: expected, stored: version)
      }
      // A second instance of the same row would overwrite this one.
      if case .update = group.operation { known[rowID] = version + 1 }
    }
    return stored
  }
}

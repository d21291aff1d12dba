package import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Runs changesets. The rows of a group share a round trip.
extension PostgreSQLTransaction {
  /// The number of rows from which COPY is used for new rows.
  private static var copyCount: Int { 4 }

  /// A call has round trips, whose time is longer than that of a few rows.
  package var rowLimit: Int { 8_192 }
  /// The number of statements that are sent before their results are read, which are in memory.
  static var pipelineLimit: Int { 2_048 }

  package func apply(_ changes: Changeset) throws {
    try complete()
    var groups = changes.remainingGroups[...]
    // The number of groups that run in their order: all of them after a missing row, because others may
    // be missing too.
    var inOrder = changes.isResumed ? groups.count : 0
    while let first = groups.first, !changes.isStopped {
      try Task.checkCancellation()
      if inOrder == 0, !isShared {
        let written = groups.prefix { $0.operation == .update || $0.operation.isInsertion }
        if try writeTogether(written, of: changes) {
          groups.removeFirst(written.count)
          continue
        }
        inOrder = written.count
      }
      let inserts = isShared ? 0 : groups.prefix { $0.operation.isInsertion }.count
      let count = max(1, inserts)
      inOrder = max(0, inOrder - count)
      var outcomes: [RowOutcome] = []
      for batch in inserts > 1 ? Self.batches(of: groups.prefix(count)) : [[first]] {
        let statements = try statements(of: batch[0].schema)
        try translatingErrors(batch[0].schema) {
          try run(batch, of: changes, statements, &outcomes)
        }
      }
      // The batches are not in the order of the rows.
      for outcome in outcomes.sorted(by: { $0.row < $1.row }) { changes.add(outcome) }
      groups.removeFirst(count)
    }
  }

  /// Returns the changes of the same columns of each type together. Objects of a graph are captured in the
  /// order of their relationships, which are checked at the end of the transaction.
  static func batches(of groups: some Sequence<RowChanges>) -> [[RowChanges]] {
    var batches: [[RowChanges]] = []
    for group in groups {
      let batch = batches.firstIndex {
        $0[0].schema === group.schema && $0[0].operation == group.operation
          && $0[0].columns == group.columns
      }
      if let batch { batches[batch].append(group) } else { batches.append([group]) }
    }
    return batches
  }

  /// Runs groups of one type and operation: one group, or several insertions.
  ///
  /// - Parameter outcomes: receives the outcomes of insertions.
  private func run(
    _ groups: [RowChanges], of changes: Changeset, _ statements: TypeStatements,
    _ outcomes: inout [RowOutcome]
  ) throws {
    let group = groups[0]
    let schema = group.schema
    try prepare(groups, of: changes)
    if isShared, try runLater(group, of: changes, statements) { return }
    switch group.operation {
    case .insert, .insertNew: try insert(groups, of: changes, statements)
    case .upsert: try upsert(groups, of: changes, statements, &outcomes)
    case .update: try update(group, of: changes, statements)
    case .require: try require(group, of: changes, statements)
    case .delete:
      try requireVersions(of: group.rows, group, changes, statements)
      try remove(changes.rowIDs[group.rows], from: schema.tableName)
    }
    for group in groups { notePrimaries(of: group, changes) }
  }

  /// Prepares the references and assets of groups of one type.
  func prepare(_ groups: [RowChanges], of changes: Changeset) throws {
    let schema = groups[0].schema
    note(written: schema.tableName)
    if !schema.toOnes.isEmpty { hasUncheckedReferences = true }
    guard !schema.fileColumns.isEmpty else { return }
    for group in groups { try session.storeAssets(of: group, changes) }
  }

  // MARK: Inserts

  private func insert(
    _ groups: [RowChanges], of changes: Changeset, _ statements: TypeStatements
  ) throws {
    do {
      if Self.count(groups) >= Self.copyCount {
        try copy(groups, of: changes, statements, statements.copy)
      } else {
        for group in groups {
          for row in group.rows {
            session.fields.removeAll()
            try append(row, of: group, changes, statements)
            try session.connection.run(statements.statement(.insert), session.fields)
          }
        }
      }
    } catch let error as PostgreSQLError where error.sqlState == "23505" {
      throw takenPrimary(error, groups[0])
    }
  }

  static func count(_ groups: some Sequence<RowChanges>) -> Int {
    groups.reduce(0) { $0 + $1.rows.count }
  }

  /// Returns the error for a row whose primary value exists.
  func takenPrimary(_ error: PostgreSQLError, _ group: RowChanges) -> any Error {
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
    try append(row, at: group.field(ofRow: row), changes, statements)
  }

  /// The same, with the index of the row's first value.
  func append(
    _ row: Int, at first: Int, _ changes: Changeset, _ statements: TypeStatements
  ) throws {
    session.fields.append(integer: changes.rowIDs[row])
    for column in statements.storedColumns {
      try session.encode(changes.values[first + column], of: changes.values, column, statements)
    }
  }

  /// Inserts rows by COPY.
  ///
  /// - Parameters:
  ///   - sql: the statement of the type, with others around it.
  ///   - savepoint: its savepoint, if the result is read later.
  func copy(
    _ groups: [RowChanges], of changes: Changeset, _ statements: TypeStatements, _ sql: String,
    deferredIn savepoint: String? = nil
  ) throws {
    var (index, row) = (0, groups[0].rows.lowerBound)
    try session.connection.copy(sql, in: session.fields, deferredIn: savepoint) { fields in
      if row == groups[index].rows.upperBound {
        index += 1
        guard index < groups.count else { return false }
        row = groups[index].rows.lowerBound
      }
      fields.beginCopyRow(statements.storedColumns.count + 1)
      try append(row, of: groups[index], changes, statements)
      row += 1
      return true
    }
  }

  // MARK: Primaries

  /// Records the primaries that the program has chosen.
  func notePrimaries(of group: RowChanges, _ changes: Changeset) {
    guard let primary = group.schema.countedColumn,
      counters[session.tables.number(of: group.schema)] != nil
    else { return }
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

extension RowOperation {
  var isInsertion: Bool {
    switch self {
    case .insert, .insertNew, .upsert: true
    case .update, .require, .delete: false
    }
  }
}

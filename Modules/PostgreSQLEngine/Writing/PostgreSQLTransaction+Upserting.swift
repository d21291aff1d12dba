import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Inserts rows that may exist.
extension PostgreSQLTransaction {
  /// The number of rows from which COPY is used.
  private static var copyCount: Int { 16 }
  /// The number of rows from which those that exist are looked up.
  private static var lookUpCount: Int { 64 }

  /// Inserts rows if none of their primary values exists.
  ///
  /// - Returns: whether they were inserted.
  private func insertAll(
    _ groups: [RowChanges], of changes: Changeset, _ statements: TypeStatements
  ) throws -> Bool {
    do {
      try copy(groups, of: changes, statements, statements.copyInSavepoint)
      return true
    } catch let error as PostgreSQLError where error.sqlState == "23505" {
      try session.connection.restore(TypeStatements.copySavepoint)
      return false
    }
  }

  /// Inserts rows, or updates those whose primary values exist.
  func upsert(
    _ groups: [RowChanges], of changes: Changeset, _ statements: TypeStatements,
    _ outcomes: inout [RowOutcome]
  ) throws {
    if Self.count(groups) >= Self.copyCount, try insertAll(groups, of: changes, statements) {
      return
    }
    try upsertStored(groups, of: changes, statements, &outcomes)
  }

  /// The same for rows of which at least one primary value exists.
  func upsertStored(
    _ groups: [RowChanges], of changes: Changeset, _ statements: TypeStatements,
    _ outcomes: inout [RowOutcome]
  ) throws {
    if Self.count(groups) >= Self.lookUpCount,
      let found = try upsertTogether(groups, of: changes, statements)
    {
      outcomes += found
    } else {
      try upsertEach(groups, of: changes, statements, &outcomes)
    }
  }

  /// Looks up the rows with the primary values, updates them with one statement, and inserts the others with
  /// one COPY.
  ///
  /// - Returns: the outcomes; nil if the rows must be written one by one, because two of them have the same
  ///   value in a unique column, or another row has it. Then nothing was written.
  private func upsertTogether(
    _ groups: [RowChanges], of changes: Changeset, _ statements: TypeStatements
  ) throws -> [RowOutcome]? {
    let schema = statements.schema
    guard schema.version == nil, let primary = schema.primary,
      schema.columns[primary].collation == nil, !session.hasUserTriggers
    else { return nil }
    let rows = NewRows(groups, of: changes)
    session.fields.removeAll()
    try append(rows.all, [primary], of: changes, statements)
    let result = try session.run(statements.rowIDs(with: [primary]), schema)
    guard let (stored, new) = rows.divided(by: result) else { return nil }
    let columns = statements.storedColumns.reduce(into: ColumnSet()) { columns, column in
      if column != primary { columns.insert(column) }
    }
    let savepoint = try session.beginSavepoint()
    do {
      if !columns.isEmpty, !stored.isEmpty {
        session.fields.removeAll()
        try append(stored, columns.indices, of: changes, statements)
        session.fields.append(integers: stored.map(\.rowID))
        let update = statements.updateMany(columns) { session.queries.retire($0) }
        try session.connection.run(update, session.fields)
      }
      var rest = new[...]
      try session.connection.copy(statements.copy, in: session.fields) { fields in
        guard let row = rest.popFirst() else { return false }
        fields.beginCopyRow(statements.storedColumns.count + 1)
        try append(row.index, at: row.field, changes, statements)
        return true
      }
    } catch let error as PostgreSQLError
      where error.sqlState == "23505" || error.sqlState == "23P01"
    {
      try session.restore(savepoint)
      return nil
    }
    session.endSavepoint(savepoint)
    return stored.filter { $0.rowID != changes.rowIDs[$0.index] }
      .map { .otherRow(row: $0.index, rowID: $0.rowID) }
  }

  /// Appends an array of the values of each column.
  private func append(
    _ rows: [NewRows.Row], _ columns: some Sequence<Int>, of changes: Changeset,
    _ statements: TypeStatements
  ) throws {
    for column in columns {
      session.fields.beginArray(of: statements.types[column], count: rows.count)
      for row in rows {
        try session.encode(
          changes.values[row.field + column], of: changes.values, column, statements)
      }
      session.fields.endArray()
    }
  }

  /// Inserts or updates each row with a statement of its own.
  private func upsertEach(
    _ groups: [RowChanges], of changes: Changeset, _ statements: TypeStatements,
    _ outcomes: inout [RowOutcome]
  ) throws {
    for group in groups {
      for first in stride(
        from: group.rows.lowerBound, to: group.rows.upperBound, by: Self.pipelineLimit)
      {
        let rows = first..<min(group.rows.upperBound, first + Self.pipelineLimit)
        try upsert(rows, of: group, changes, statements, &outcomes)
      }
    }
  }

  private func upsert(
    _ rows: Range<Int>, of group: RowChanges, _ changes: Changeset, _ statements: TypeStatements,
    _ outcomes: inout [RowOutcome]
  ) throws {
    let upsert = statements.statement(.upsert)
    let results = try session.connection.pipelining([upsert]) { send in
      for row in rows {
        session.fields.removeAll()
        try append(row, of: group, changes, statements)
        try send(upsert, session.fields)
      }
    }
    for (row, result) in zip(rows, results) where result.count > 0 {
      let rowID = result.integer(0, 0)
      if rowID != changes.rowIDs[row] { outcomes.append(.otherRow(row: row, rowID: rowID)) }
      if group.schema.version != nil, !result.isNull(0, 1) {
        outcomes.append(.updated(row: row, version: Int(result.integer(0, 1))))
      }
    }
  }
}

/// Rows that are inserted unless their primary values exist.
private struct NewRows {
  struct Row {
    /// The index in the changeset.
    let index: Int
    /// The index of the first value.
    let field: Int
    var rowID: Int64
  }

  let all: [Row]

  init(_ groups: [RowChanges], of changes: Changeset) {
    all = groups.flatMap { group in
      group.rows.map { index in
        Row(index: index, field: group.field(ofRow: index), rowID: changes.rowIDs[index])
      }
    }
  }

  /// Divides the rows into those that exist, with their stored row IDs, and the others.
  ///
  /// - Parameter result: the row IDs of those that exist, and their numbers, from 1.
  /// - Returns: nil if two of them are the same stored row.
  func divided(by result: PostgreSQLResult) -> (stored: [Row], new: [Row])? {
    var rowIDs = [Int64?](repeating: nil, count: all.count)
    var known: Set<Int64> = []
    for row in 0..<result.count {
      let (rowID, number) = (result.integer(row, 0), Int(result.integer(row, 1)))
      guard rowIDs.indices.contains(number - 1), known.insert(rowID).inserted else { return nil }
      rowIDs[number - 1] = rowID
    }
    var (stored, new): ([Row], [Row]) = ([], [])
    for (var row, rowID) in zip(all, rowIDs) {
      if let rowID {
        row.rowID = rowID
        stored.append(row)
      } else {
        new.append(row)
      }
    }
    return (stored, new)
  }
}

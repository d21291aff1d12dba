package import MagicSchema

/// Changes to rows, in the order in which the engine runs them.
///
/// Each row has a row ID. Row IDs of new rows are reserved before anything is written, so that a
/// row can refer to a row that is inserted later. The values are copies: running a changeset again
/// writes the same values.
///
/// Used by one thread at a time, and emptied for reuse.
@usableFromInline
package final class Changeset {
  package let values = FieldBuffer()
  // Read through accessors: direct access from other modules would add run-time exclusivity checks.
  @exclusivity(unchecked) @usableFromInline var storedGroups: [RowChanges] = []
  @exclusivity(unchecked) @usableFromInline var storedRowIDs: [Int64] = []
  @exclusivity(unchecked) @usableFromInline var storedOutcomes: [RowOutcome] = []

  /// The index of the first row that has not run; the engine starts there.
  @exclusivity(unchecked) private var firstRow = 0
  /// Whether the engine has stopped before the end.
  @exclusivity(unchecked) package private(set) var isStopped = false

  @inlinable package var groups: [RowChanges] { storedGroups }

  /// Whether a part of the changes has run.
  package var isResumed: Bool { firstRow > 0 }

  /// The changes that the engine has not run.
  package var remainingGroups: [RowChanges] {
    guard firstRow > 0 else { return storedGroups }
    return storedGroups.compactMap { group in
      guard group.end > firstRow else { return nil }
      return group.start >= firstRow ? group : group.suffix(from: firstRow)
    }
  }

  /// The row IDs, by the index of the row.
  @inlinable package var rowIDs: [Int64] { storedRowIDs }

  /// The outcomes of rows that were not in the expected state, in the order of the rows.
  @inlinable package var outcomes: [RowOutcome] { storedOutcomes }

  package init() {}

  @inlinable package var isEmpty: Bool { storedRowIDs.isEmpty }

  /// The number of rows.
  @inlinable package var count: Int { storedRowIDs.count }

  /// Appends a row.
  ///
  /// - Parameter firstField: the index of the row's first value. The row's values are the last ones
  ///   of ``values``.
  package func append(
    _ operation: RowOperation, _ rowID: Int64, of schema: ObjectSchema, columns: ColumnSet,
    firstField: Int, list: OwnedList? = nil
  ) {
    let row = storedRowIDs.count
    storedRowIDs.append(rowID)
    let last = storedGroups.count - 1
    if last >= 0, storedGroups[last].continues(with: operation, schema, columns, list) {
      storedGroups[last].end = row + 1
      return
    }
    storedGroups.append(
      RowChanges(
        schema: schema, operation: operation, columns: columns, start: row, end: row + 1,
        firstField: firstField, width: values.count - firstField, list: list))
  }

  /// Records the outcome of a row that was not in the expected state.
  package func add(_ outcome: RowOutcome) { storedOutcomes.append(outcome) }

  /// Records that the engine stops after a row.
  package func stop(after row: Int) {
    firstRow = row + 1
    isStopped = true
  }

  /// Discards the outcomes, so that the engine can run the remaining rows.
  ///
  /// - Returns: false if there are no remaining rows.
  package func resume() -> Bool {
    guard isStopped else { return false }
    isStopped = false
    storedOutcomes.removeAll(keepingCapacity: true)
    return firstRow < count
  }

  package func removeAll() {
    firstRow = 0
    isStopped = false
    storedGroups.removeAll(keepingCapacity: true)
    storedRowIDs.removeAll(keepingCapacity: storedRowIDs.capacity <= 4096)
    if !storedOutcomes.isEmpty { storedOutcomes.removeAll(keepingCapacity: true) }
    values.removeAll()
  }
}

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

  @inlinable package var groups: [RowChanges] { storedGroups }

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
    firstField: Int
  ) {
    let row = storedRowIDs.count
    storedRowIDs.append(rowID)
    let last = storedGroups.count - 1
    if last >= 0, storedGroups[last].continues(with: operation, schema, columns) {
      storedGroups[last].end = row + 1
      return
    }
    storedGroups.append(
      RowChanges(
        schema: schema, operation: operation, columns: columns, start: row, end: row + 1,
        firstField: firstField, width: values.count - firstField))
  }

  /// Records the outcome of a row that was not in the expected state.
  package func add(_ outcome: RowOutcome) { storedOutcomes.append(outcome) }

  package func removeAll() {
    storedGroups.removeAll(keepingCapacity: true)
    storedRowIDs.removeAll(keepingCapacity: storedRowIDs.capacity <= 4096)
    if !storedOutcomes.isEmpty { storedOutcomes.removeAll(keepingCapacity: true) }
    values.removeAll()
  }
}

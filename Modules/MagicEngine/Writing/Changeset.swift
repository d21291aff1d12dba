package import MagicSchema

/// Changes to rows, in an order in which an engine can run them one after the other.
///
/// Each row has its row ID: the library gives out those of new rows before anything is written, so
/// that rows can refer to rows that come later. The values are copies: to run a changeset again writes
/// the same.
///
/// Used by one thread at a time, and emptied to be used again.
@usableFromInline
package final class Changeset {
  package let values = FieldBuffer()
  // Read through accessors: other modules would check each access at run time.
  @exclusivity(unchecked) @usableFromInline var storedGroups: [RowChanges] = []
  @exclusivity(unchecked) @usableFromInline var storedRowIDs: [Int64] = []
  @exclusivity(unchecked) @usableFromInline var storedOutcomes: [RowOutcome] = []

  @inlinable package var groups: [RowChanges] { storedGroups }

  /// By row.
  @inlinable package var rowIDs: [Int64] { storedRowIDs }

  /// What the engine has found of rows that are not as was assumed, in their order.
  @inlinable package var outcomes: [RowOutcome] { storedOutcomes }

  package init() {}

  @inlinable package var isEmpty: Bool { storedRowIDs.isEmpty }

  /// How many rows there are.
  @inlinable package var count: Int { storedRowIDs.count }

  /// Adds a row.
  ///
  /// - Parameter firstField: the place of its first value; they are the last of ``values``.
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

  /// A row is not as was assumed.
  package func add(_ outcome: RowOutcome) { storedOutcomes.append(outcome) }

  package func removeAll() {
    storedGroups.removeAll(keepingCapacity: true)
    storedRowIDs.removeAll(keepingCapacity: storedRowIDs.capacity <= 4096)
    if !storedOutcomes.isEmpty { storedOutcomes.removeAll(keepingCapacity: true) }
    values.removeAll()
  }
}

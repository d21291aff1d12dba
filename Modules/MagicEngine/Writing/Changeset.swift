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
  @exclusivity(unchecked) @usableFromInline package internal(set) var groups: [RowChanges] = []
  /// By row.
  @exclusivity(unchecked) @usableFromInline package internal(set) var rowIDs: [Int64] = []
  /// What the engine says of rows that it did not simply change as asked, in their order.
  @exclusivity(unchecked) package var answers: [RowAnswer] = []

  package init() {}

  @inlinable package var isEmpty: Bool { rowIDs.isEmpty }

  /// How many rows there are.
  @inlinable package var count: Int { rowIDs.count }

  /// Adds a row.
  ///
  /// - Parameter firstField: the place of its first value; they are the last of ``values``.
  package func append(
    _ operation: RowOperation, _ rowID: Int64, of schema: ObjectSchema, columns: ColumnSet,
    firstField: Int
  ) {
    let row = rowIDs.count
    rowIDs.append(rowID)
    let last = groups.count - 1
    if last >= 0, groups[last].continues(with: operation, schema, columns) {
      groups[last].end = row + 1
      return
    }
    groups.append(
      RowChanges(
        schema: schema, operation: operation, columns: columns, start: row, end: row + 1,
        firstField: firstField, width: values.count - firstField))
  }

  package func removeAll() {
    groups.removeAll(keepingCapacity: true)
    rowIDs.removeAll(keepingCapacity: rowIDs.capacity <= 4096)
    if !answers.isEmpty { answers.removeAll(keepingCapacity: true) }
    values.removeAll()
  }
}

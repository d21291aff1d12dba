package import MagicSchema

/// Changes to rows, in an order in which an engine can run them one after the other.
///
/// Each row has its row ID: the library gives out those of new rows before anything is written, so
/// that rows can refer to rows that come later. The values are copies: to run a changeset again writes
/// the same.
///
/// Used by one thread at a time, and emptied to be used again.
package final class Changeset {
  package let values = FieldBuffer()
  @exclusivity(unchecked) package private(set) var groups: [RowChanges] = []
  /// By row.
  @exclusivity(unchecked) package private(set) var rowIDs: [Int64] = []

  package init() {}

  package var isEmpty: Bool { rowIDs.isEmpty }

  /// How many rows there are.
  package var count: Int { rowIDs.count }

  /// Adds a row.
  ///
  /// - Parameter firstField: the place of its first value; they are the last of ``values``.
  package func append(
    _ operation: RowOperation, _ rowID: Int64, of schema: ObjectSchema, columns: ColumnSet,
    firstField: Int
  ) {
    let row = rowIDs.count
    rowIDs.append(rowID)
    if let last = groups.indices.last, groups[last].operation == operation,
      groups[last].schema === schema, groups[last].columns == columns
    {
      groups[last].rows = groups[last].rows.lowerBound..<row + 1
      return
    }
    groups.append(
      RowChanges(
        schema: schema, operation: operation, columns: columns, rows: row..<row + 1,
        firstField: firstField, width: values.count - firstField))
  }

  package func removeAll() {
    groups.removeAll(keepingCapacity: true)
    rowIDs.removeAll(keepingCapacity: rowIDs.capacity <= 4096)
    values.removeAll()
  }
}

/// A column that a statement reads.
package struct SQLiteRead: Hashable, Sendable {
  package let table: String
  /// The name of the column; empty if the statement only counts rows and reads no column.
  package let column: String
}

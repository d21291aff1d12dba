/// A column that a statement reads.
package struct SQLiteRead: Hashable, Sendable {
  package let table: String
  /// Empty where the statement counts rows and looks into none.
  package let column: String
}

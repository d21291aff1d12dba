/// A type's table on one connection.
package enum TableState {
  /// The table has the schema of its type.
  case current(TypeStatements)
  /// There is no table, under no former name either.
  case missing
  /// The table must be migrated before it is read or written.
  case outdated
}

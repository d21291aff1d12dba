/// The state of a type's table on one connection.
package enum TableState {
  /// The table has the schema of its type.
  case current(TypeStatements)
  /// The table does not exist, and no table has a former name of the type.
  case missing
  /// The table must be migrated before it is read or written.
  case outdated
}

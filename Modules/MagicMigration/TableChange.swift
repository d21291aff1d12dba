import MagicSchema

/// A difference between a type and its table, and what is done about it.
struct TableChange {
  let kind: MagicMigrationPlan.Kind
  let property: String?
  let summary: String
  var refusal: String?
  /// The statements that do it; nil where the table must be rebuilt.
  var statements: [String]?
  /// What precedes it, as long as the table has its old columns.
  var preceding: MigrationOperation.Action?
  /// The column and the expression for the value that the rows which are there get in it, unless they
  /// are copied to another table.
  var storedDefault: (column: ColumnSchema, value: String)?
  /// What follows when the table has the schema of its type.
  var following: MigrationOperation.Action?
}

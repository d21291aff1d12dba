import MagicSchema

/// A difference between a type and its table, and the statements that remove it.
struct TableChange {
  let kind: MagicMigrationPlan.Kind
  let property: String?
  let summary: String
  var refusal: String?
  /// The statements of the change; nil if the table must be rebuilt.
  var statements: [String]?
  /// An operation that runs before the change, while the table has its old columns.
  var preceding: MigrationOperation.Action?
  /// A column and the expression for its value in existing rows. Not used if the table is rebuilt.
  var storedDefault: (column: ColumnSchema, value: String)?
  /// An operation that runs after the table has the schema of its type.
  var following: MigrationOperation.Action?
}

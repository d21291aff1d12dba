import MagicSchema

/// A difference between a type and its table, and what is done about it.
struct TableChange {
  let kind: MagicMigrationPlan.Kind
  let property: String?
  let summary: String
  var refusal: String?
  /// The statements that do it; nil where the table must be made anew.
  var statements: [String]?
  /// What precedes it, as long as the table has its old columns.
  var preceding: MigrationWork.Action?
  /// What follows when the table has its new shape.
  var following: MigrationWork.Action?
}

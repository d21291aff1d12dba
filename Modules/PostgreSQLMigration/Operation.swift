import MagicSchema

/// A step of a plan, with the action that runs it.
struct Operation {
  var step: MagicMigrationPlan.Step
  var action = Action.statements
  /// The number of the declared migration step that the operation belongs to; 0 for none.
  var stepNumber = 0

  enum Action {
    /// Runs the statements of the step in order.
    case statements
    /// Creates a unique index over columns, after a check for duplicates.
    case uniqueIndex([String])
    /// Calls the user's closure for every row.
    case transformation(RowTransform)
    /// Runs a statement of the user.
    case userStatement
    /// Stores the asset of the property's default in rows without one.
    case file(ColumnSchema)
  }
}

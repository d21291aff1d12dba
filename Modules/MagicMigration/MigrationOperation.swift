package import MagicSchema
package import SQLiteTables

/// A step of a plan, with the action that runs it.
package struct MigrationOperation {
  package let step: MagicMigrationPlan.Step
  package let action: Action
  /// The number of the declared migration step that the operation belongs to; 0 for none.
  package let stepNumber: Int

  package enum Action {
    /// Runs the statements of the step in order.
    case statements
    /// Runs the statements of the step with triggers disabled, because the DEFAULT of a new column
    /// fires no triggers either.
    case storedDefaults
    /// Runs the statements of the step, which replace tables that other tables refer to.
    case replacement
    /// Changes row IDs. The statements are written again when they run, because earlier operations
    /// may have renamed tables and columns that refer to the rows.
    case movedRows(RowIDMove)
    /// Rebuilds a table.
    case rebuild(TableRebuild)
    /// Calls the user's closure for every row.
    case transformation(RowTransformation)
    /// Runs a statement of the user.
    case userStatement
    /// Stores the file of the default in all rows.
    case file(ColumnSchema)
    /// Stores the file of the property's default in rows without a file in a column of the table.
    case missingFile(ColumnSchema, in: String)
    /// Checks that the files that a table's rows name exist, and adds them to the reference counts.
    case countedFiles([String])
    /// Runs the statements of the step, and inserts all rows into the search index.
    case searchIndex(SearchTable)
  }

  init(
    _ step: MagicMigrationPlan.Step, _ action: Action = .statements, ofStep stepNumber: Int = 0
  ) {
    self.step = step
    self.action = action
    self.stepNumber = stepNumber
  }
}

package import MagicSchema

/// A step of a plan, and how it is carried out.
package struct MigrationOperation {
  package let step: MagicMigrationPlan.Step
  package let action: Action
  /// The number of the type's own step that it belongs to; 0 for none.
  package let stepNumber: Int

  package enum Action {
    /// The step's statements, one after the other.
    case statements
    /// The same, while no trigger runs, as none does for the DEFAULT of a new column.
    case storedDefaults
    /// The same, where tables that others refer to are replaced.
    case replacement
    /// The statements that rebuild a table.
    case rebuild(TableRebuild)
    /// A closure of the user's for every row.
    case transformation(RowTransformation)
    /// A statement of the user's.
    case userStatement
    /// Gives every row a file of one content.
    case file(ColumnSchema)
    /// Gives rows without a file in a column of the table one of the property's default content.
    case missingFile(ColumnSchema, in: String)
    /// Counts the files that a table's rows name.
    case countedFiles([String])
  }

  init(
    _ step: MagicMigrationPlan.Step, _ action: Action = .statements, ofStep stepNumber: Int = 0
  ) {
    self.step = step
    self.action = action
    self.stepNumber = stepNumber
  }
}

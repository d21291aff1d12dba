import MagicSchema

/// A step of a plan, and how it is carried out.
struct MigrationWork {
  let step: MagicMigrationPlan.Step
  let action: Action

  enum Action {
    /// The step's statements, one after the other.
    case statements
    /// The same, while no trigger runs, as none does for the DEFAULT of a new column.
    case storedDefaults
    /// The same, where tables that others lead to are put in the place of others.
    case replacement
    /// The statements of a table that is made anew.
    case rebuild(TableRebuild)
    /// A closure of the user's for every row.
    case transformation(RowTransformation)
    /// A statement of the user's.
    case userStatement
    /// Gives every row a file of one content.
    case file(ColumnSchema)
    /// Gives rows without a file in a column of the table one of the property's default content.
    case missingFile(ColumnSchema, in: String)
    /// Takes the uses of files that a table's rows name into account.
    case countedFiles([String])
  }

  init(_ step: MagicMigrationPlan.Step, _ action: Action = .statements) {
    self.step = step
    self.action = action
  }
}

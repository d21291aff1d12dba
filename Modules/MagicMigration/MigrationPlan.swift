package import MagicSchema
package import SQLiteTables

/// What brings the tables of types to their schemas: the plan that is shown, and the one that runs.
package struct MigrationPlan {
  package let renamings: [TableRenaming]
  package let tables: [TableMigration]

  /// The plan for a user.
  package var summary: MagicMigrationPlan {
    MagicMigrationPlan(
      steps: renamings.map(\.operation.step) + tables.flatMap(\.operations).map(\.step))
  }
}

/// What brings one table to the schema of its type.
package struct TableMigration {
  package let schema: ObjectSchema
  /// In order; at least one.
  package let segments: [MigrationSegment]

  package var operations: [MigrationOperation] { segments.flatMap(\.operations) }

  /// Whether a step runs SQL or a closure of the user's.
  package var runsUserCode: Bool { segments.contains { $0.remaining != nil } }
}

/// The operations up to a step that runs code of the user's, or up to the end.
///
/// What a user's SQL or closure makes of rows is known when it has run. A plan that is shown takes
/// the worst for the segments behind it; when it runs, they are planned from the rows that are there.
package struct MigrationSegment {
  package let operations: [MigrationOperation]
  /// The table before the step that runs the user's code.
  package let beforeUserCode: TableDescription
  /// The table after all steps of the segment.
  package let afterSteps: TableDescription
  /// The changes that follow the user's code; nil where the segment is the last.
  package let remaining: ArraySlice<PendingChange>?
}

/// A change of a type's own steps that its table has not seen yet.
package struct PendingChange {
  /// The number of its step.
  let number: Int
  package let change: MagicMigrationChange
}

extension MagicMigrationPlan {
  /// - Throws: `MagicError` with `.needsMigration` where a step does not run as things are.
  package func refuse() throws {
    guard let step = refused.first else { return }
    throw MagicError(
      .needsMigration,
      "The table of \(step.type) does not have the type's shape: \(step.summary); "
        + "\(step.refusal ?? ""). Nothing was changed.",
      type: step.type, property: step.property, plan: self)
  }
}

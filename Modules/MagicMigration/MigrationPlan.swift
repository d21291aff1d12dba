package import MagicSchema
package import SQLiteTables

/// The operations that migrate the tables of types to their schemas. The same plan is shown to
/// users and run.
package struct MigrationPlan {
  package let renamings: [TableRenaming]
  package let tables: [TableMigration]
  /// The tables that the plan adopts.
  package let adoptions: TableAdoptions

  /// The plan as users see it.
  package var summary: MagicMigrationPlan {
    MagicMigrationPlan(
      steps: renamings.map(\.operation.step) + tables.flatMap(\.operations).map(\.step))
  }
}

/// The migration of one table to the schema of its type.
package struct TableMigration {
  package let schema: ObjectSchema
  /// The columns of owned lists that the table had when it was planned.
  package let owned: [OwnedColumns]
  /// The segments in order; at least one.
  package let segments: [MigrationSegment]
  /// Whether the rows of a table that other SQL has created are copied.
  package let isAdoption: Bool

  init(
    schema: ObjectSchema, owned: [OwnedColumns], segments: [MigrationSegment], isAdoption: Bool
  ) {
    self.schema = schema
    self.owned = owned
    self.segments = segments
    self.isAdoption = isAdoption
  }

  /// A migration that is refused before the other operations can be planned.
  init(schema: ObjectSchema, refusing operations: [MigrationOperation], table: TableDescription) {
    let segment = MigrationSegment(
      operations: operations, beforeUserCode: table, afterSteps: table, remaining: nil)
    self.init(schema: schema, owned: table.owned, segments: [segment], isAdoption: true)
  }

  package var operations: [MigrationOperation] { segments.flatMap(\.operations) }

  /// Whether a step runs SQL or a closure of the user.
  package var runsUserCode: Bool { segments.contains { $0.remaining != nil } }
}

/// The operations up to a step that runs the user's code, or up to the end.
///
/// The effect of the user's SQL or closure on the rows is known only after it has run. A plan that
/// is shown assumes the worst case for the segments that follow; when the plan runs, these segments
/// are planned again from the actual rows.
package struct MigrationSegment {
  package let operations: [MigrationOperation]
  /// The table before the step that runs the user's code.
  package let beforeUserCode: TableDescription
  /// The table after all steps of the segment.
  package let afterSteps: TableDescription
  /// The changes after the user's code; nil for the last segment.
  package let remaining: ArraySlice<PendingChange>?
}

/// A change in a declared migration step that has not run on the table yet.
package struct PendingChange {
  /// The number of the step.
  package let number: Int
  package let change: MagicMigrationChange
}

extension MagicMigrationChange {
  /// Whether the change runs the user's code on rows. Such code needs all columns, and may set any
  /// values.
  package var readsRows: Bool {
    switch kind {
    case .transform, .sql: true
    case .add, .delete, .rename, .convert, .adopt, .adoptJoinTable: false
    }
  }

  /// Whether the change adopts the type's table.
  var isAdoption: Bool {
    if case .adopt = kind { true } else { false }
  }
}

extension Collection<PendingChange> {
  /// The summary of a plan in which the changes change nothing, so that their steps are only recorded.
  package var recordingSummary: String {
    let numbers = Set(map(\.number)).sorted()
    guard let last = numbers.last, numbers.count > 1 else {
      return "step \(numbers.first ?? 0) changes nothing here and is recorded, so that versions of "
        + "the program without it are refused"
    }
    return "steps \(numbers[0]) to \(last) change nothing here and are recorded, so that versions "
      + "of the program without them are refused"
  }
}

extension Collection<PendingChange> {
  /// Whether one of the changes deletes or renames a property.
  fileprivate func removes(_ property: String) -> Bool {
    contains {
      switch $0.change.kind {
      case .delete(let name), .rename(let name, _): name.isName(property)
      default: false
      }
    }
  }
}

extension RowTransform {
  /// Whether there is nothing to transform: the table of an earlier version has no such property, and a
  /// later change deletes or renames it.
  ///
  /// - Parameters:
  ///   - changes: this change and the later ones.
  ///   - exists: whether the table has a property.
  package func isUnneeded(
    in changes: some Collection<PendingChange>, _ exists: (String) -> Bool
  ) -> Bool {
    guard let property, !exists(property) else { return false }
    return changes.removes(property)
  }

  /// Returns why a property cannot be transformed; nil if it can.
  ///
  /// - Parameter exists: whether the table has the property.
  package func refusal(_ exists: (String) -> Bool) -> String? {
    guard let property, !exists(property) else { return nil }
    return "the table has no property \(property): correct the name in the step"
  }
}

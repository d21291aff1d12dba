import MagicSchema
import SQLiteTables

/// The changes to the join table of one collection.
struct LinkChange {
  /// The description of the change; nil if another change describes it.
  let change: TableChange?
  /// The statements before the owner's table is changed, while it has its old columns.
  var before: [String] = []
  /// The triggers on the owner's table. If that table is rebuilt, they are dropped with it and are
  /// not created here.
  var triggers: [String] = []
  /// The statements after the owner's table was changed.
  var after: [String] = []

  enum Moment { case before, after }

  func operation(
    at moment: Moment, _ schema: ObjectSchema, isRebuilt: Bool
  ) -> MigrationOperation? {
    let statements: [String]
    switch moment {
    case .before: statements = before + (isRebuilt ? [] : triggers)
    case .after: statements = after
    }
    // The change is described once: in the first operation that has statements. A change without
    // statements is described before, so that its refusal is part of the plan.
    let isTold = moment == .before ? !before.isEmpty || after.isEmpty : before.isEmpty
    guard !statements.isEmpty || isTold && change != nil else { return nil }
    let told = isTold ? change : nil
    return MigrationOperation(
      MagicMigrationPlan.Step(
        type: schema.typeName, property: change?.property, kind: told?.kind ?? .rewriting,
        summary: told?.summary ?? "join rows that were copied are dropped", sql: statements,
        refusal: told?.refusal),
      .replacement)
  }

  static func drop(_ collection: TableDescription.Collection) -> [String] {
    [dropCascade(collection.linkTable), "DROP TABLE \(collection.linkTable.quoted)"]
  }

  static func dropCascade(_ linkTable: String) -> String {
    "DROP TRIGGER IF EXISTS \(LinkTable.cascade(of: linkTable).quoted)"
  }

  /// Returns the statements that rename a join table and drop its cascade trigger.
  static func rename(_ linkTable: String, to name: String) -> [String] {
    [
      dropCascade(linkTable),
      "ALTER TABLE \(linkTable.quoted) RENAME TO \(name.quoted)",
      "DROP INDEX IF EXISTS \(LinkTable.index(of: linkTable).quoted)",
      LinkTable.createIndex(of: name),
    ]
  }
}

import MagicSchema
import SQLiteTables

/// The changes to the join table of one collection. In the names of this module, "link" means join
/// row, and "link table" means join table.
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

  enum Phase { case before, after }

  func operation(
    at phase: Phase, _ schema: ObjectSchema, isRebuilt: Bool
  ) -> MigrationOperation? {
    let statements: [String]
    switch phase {
    case .before: statements = before + (isRebuilt ? [] : triggers)
    case .after: statements = after
    }
    // The change is described once: by the first operation that has statements. A change without
    // statements is described by the operation before the change of the owner's table, so that its
    // refusal is part of the plan.
    let isDescribed = phase == .before ? !before.isEmpty || after.isEmpty : before.isEmpty
    guard !statements.isEmpty || isDescribed && change != nil else { return nil }
    let described = isDescribed ? change : nil
    return MigrationOperation(
      MagicMigrationPlan.Step(
        type: schema.typeName, property: change?.property, kind: described?.kind ?? .rewriting,
        summary: described?.summary ?? "join rows that were copied are dropped", sql: statements,
        refusal: described?.refusal),
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

import MagicSchema
import SQLiteTables

/// What is done about the links of one collection.
struct LinkChange {
  /// Nil where another change describes it.
  let change: TableChange?
  /// Before the owner's table is changed: its old columns are there.
  var before: [String] = []
  /// The triggers on the owner's table, which are dropped where that is rebuilt.
  var triggers: [String] = []
  /// After the owner's table was changed.
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
    // One that does nothing is told of where it is refused, or begins.
    let isTold = moment == .before ? !before.isEmpty || after.isEmpty : before.isEmpty
    guard !statements.isEmpty || isTold && change != nil else { return nil }
    let told = isTold ? change : nil
    return MigrationOperation(
      MagicMigrationPlan.Step(
        type: schema.typeName, property: change?.property, kind: told?.kind ?? .rewriting,
        summary: told?.summary ?? "links that were taken over are dropped", sql: statements,
        refusal: told?.refusal),
      .replacement)
  }

  static func drop(_ collection: TableDescription.Collection) -> [String] {
    [dropCascade(collection.linkTable), "DROP TABLE \(collection.linkTable.quoted)"]
  }

  static func dropCascade(_ linkTable: String) -> String {
    "DROP TRIGGER IF EXISTS \(LinkTable.cascade(of: linkTable).quoted)"
  }

  /// A table of links under another name, without its trigger.
  static func rename(_ linkTable: String, to name: String) -> [String] {
    [
      dropCascade(linkTable),
      "ALTER TABLE \(linkTable.quoted) RENAME TO \(name.quoted)",
      "DROP INDEX IF EXISTS \(LinkTable.index(of: linkTable).quoted)",
      LinkTable.createIndex(of: name),
    ]
  }
}

import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLSearch

/// The search index of a type in its migration. It is built again if its declaration, or any row, changes:
/// its triggers must neither see the rows of a migration nor depend on columns that change.
struct SearchMigration {
  private let schema: ObjectSchema
  private let session: EngineSession
  private let declared: SearchDefinition?
  /// The definition of the stored index; nil if there is none.
  private let stored: String?

  /// - Parameter storedName: the name of the table now. The index of a table that is renamed is dropped with
  ///   its old name.
  init(_ schema: ObjectSchema, storedAs storedName: String, in session: EngineSession) throws {
    self.schema = schema
    self.session = session
    declared = SearchDefinition(schema)
    stored =
      storedName == schema.tableName
      ? try SearchNames(table: storedName).definition(on: session.connection) : nil
  }

  /// Whether the type can search in the stored index. A type without searchable properties needs none.
  var canUseIndex: Bool { declared == nil || stored == declared?.text }

  /// Whether the steps of a migration change the index.
  private func changes(with steps: [MagicMigrationPlan.Step]) -> Bool {
    stored != declared?.text || stored != nil && !steps.allSatisfy { $0.kind == .additive }
  }

  /// Returns the steps with those of the index.
  func adding(to steps: [MagicMigrationPlan.Step]) -> [MagicMigrationPlan.Step] {
    guard changes(with: steps) else { return steps }
    var all = steps
    let name = schema.tableName
    if stored != nil {
      all.insert(
        step(
          "the search index of \(name) is dropped", SearchNames(table: name).drop(ofTable: name)),
        at: 0)
    }
    if let declared {
      let what = stored == nil ? "created" : "built again"
      all.append(step("the search index of \(name) is \(what)", declared.create))
    }
    return all
  }

  private func step(_ summary: String, _ sql: [String]) -> MagicMigrationPlan.Step {
    MagicMigrationPlan.Step(type: schema.typeName, kind: .additive, summary: summary, sql: sql)
  }

  /// Runs a migration between the steps of the index.
  ///
  /// - Parameter steps: the planned steps of the migration.
  func around(
    _ steps: [MagicMigrationPlan.Step], _ progress: (MagicMigrationProgress) -> Void,
    _ body: () throws -> Void
  ) throws {
    guard changes(with: steps) else { return try body() }
    if stored != nil { try session.search.drop(for: schema) }
    try body()
    guard declared != nil else { return }
    let count = try StoredRows(session: session)
      .execute("SELECT count(*) FROM \(schema.tableName.quoted)").text(0, 0)
    let rowCount = Int(count) ?? 0
    try session.search.create(for: schema) {
      progress(
        MagicMigrationProgress(type: schema.typeName, rowsDone: $0, rowCount: max(rowCount, $0)))
    }
  }
}

import MagicSQLite
import MagicSchema

/// Plans what types need, without changing anything.
struct MigrationPlanner {
  let connection: SQLiteConnection
  private let catalogue: Catalogue

  init(_ connection: SQLiteConnection) {
    self.connection = connection
    catalogue = Catalogue(connection: connection)
  }

  /// What types and all they lead to need. A type without a table needs nothing: its table comes to
  /// be with its first save.
  func plan(for schemas: [ObjectSchema]) throws -> MagicMigrationPlan {
    let reached = try ObjectSchema.reached(from: schemas)
    let renamings = try TableRenaming.all(of: reached, catalogue)
    var steps = renamings.map(\.work.step)
    for schema in reached { steps += try self.steps(for: schema, renamings) }
    return MagicMigrationPlan(steps: steps)
  }

  private func steps(
    for schema: ObjectSchema, _ renamings: [TableRenaming]
  ) throws -> [MagicMigrationPlan.Step] {
    var shape: TableShape
    if let renaming = renamings.first(where: { $0.new == schema.tableName }) {
      shape = renaming.renamedShape
    } else {
      guard try catalogue.exists(schema.tableName) else { return [] }
      if try catalogue.entry(for: schema.tableName)?.fingerprint == schema.fingerprint {
        return []
      }
      shape = try TableShape(of: schema.tableName, on: connection)
    }
    shape.follow(renamings)
    return try steps(for: schema, from: shape)
  }

  /// What one type needs whose table is of another shape.
  func steps(
    for schema: ObjectSchema, from shape: TableShape
  ) throws -> [MagicMigrationPlan.Step] {
    try TablePlanner.check(shape, for: schema)
    let pending = try StepPlanner.pending(schema, after: shape.version)
    var planner = StepPlanner(schema: schema, connection: connection, shape: shape)
    var works: [MigrationWork] = []
    for index in pending.indices { works += try planner.works(for: pending, at: index) }
    works += try TablePlanner.works(for: schema, from: planner.shape, on: connection)
    return works.map(\.step)
  }
}

extension ObjectSchema {
  /// Types and all that their relationships lead to, each once.
  static func reached(from schemas: [ObjectSchema]) throws -> [ObjectSchema] {
    var reached: [ObjectSchema] = []
    var waiting = Array(schemas.reversed())
    while let next = waiting.popLast() {
      guard !reached.contains(where: { $0 === next }) else { continue }
      reached.append(next)
      waiting += try next.targets.reversed()
    }
    return reached
  }
}

extension MagicMigrationPlan {
  /// - Throws: `MagicError` with `.needsMigration` where a step does not run as things are.
  func refuse() throws {
    guard let step = refused.first else { return }
    throw MagicError(
      .needsMigration,
      "The table of \(step.type) does not have the type's shape: \(step.summary); "
        + "\(step.refusal ?? ""). Nothing was changed.",
      type: step.type, property: step.property, plan: self)
  }
}

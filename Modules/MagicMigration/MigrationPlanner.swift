import MagicEngine
package import MagicSchema
package import SQLiteTables

/// Plans the migrations of types in a database, without changing the database.
package struct MigrationPlanner {
  package let catalogue: Catalogue
  package let rows: any RowQueries
  /// The adoptions of the plan.
  package var adoptions: TableAdoptions

  package init(catalogue: Catalogue, rows: any RowQueries) {
    self.catalogue = catalogue
    self.rows = rows
    adoptions = TableAdoptions(catalogue: catalogue, all: [])
  }

  /// Plans the migrations of types and of all types that they refer to. A type without a table
  /// needs no migration: its first save creates the table.
  package func plan(for schemas: [ObjectSchema]) throws -> MigrationPlan {
    let reached = try ObjectSchema.reached(from: schemas)
    let renamings = try TableRenaming.all(of: reached, catalogue)
    var planner = self
    let adoptions = try self.adoptions(of: reached, after: renamings)
    planner.adoptions = adoptions
    var tables: [TableMigration] = []
    for schema in reached {
      guard let description = try outdatedTable(of: schema, after: renamings) else { continue }
      tables.append(try planner.migration(of: schema, from: description))
      planner.adoptions.done.append(schema)
    }
    return MigrationPlan(renamings: renamings, tables: tables, adoptions: adoptions)
  }

  /// Returns the table of a type as it will be after renamings; nil if there is no table, or if it
  /// is up to date.
  private func outdatedTable(
    of schema: ObjectSchema, after renamings: [TableRenaming]
  ) throws -> TableDescription? {
    var description: TableDescription
    if let renaming = renamings.first(where: { $0.new == schema.tableName }) {
      description = renaming.renamedTable
    } else {
      guard try catalogue.exists(schema.tableName), try !catalogue.isCurrent(schema) else {
        return nil
      }
      description = try catalogue.describe(schema.tableName)
    }
    description.apply(renamings)
    return description
  }

  /// Plans the migration of one type from the current state of its table.
  package func migration(of schema: ObjectSchema) throws -> TableMigration {
    var planner = self
    if adoptions.all.isEmpty {
      planner.adoptions = try adoptions(of: ObjectSchema.reached(from: [schema]))
    }
    return try planner.migration(of: schema, from: catalogue.describe(schema.tableName))
  }

  private func migration(
    of schema: ObjectSchema, from description: TableDescription
  ) throws -> TableMigration {
    var changes = try StepPlanner.pending(schema, after: description.version)[...]
    var first = try refusedAdoptions(of: schema, Array(changes), into: description)
    var table = description
    let adoption = description.isForeign ? adoptions.adoption(of: schema) : nil
    if let adoption {
      // Earlier steps are for a table of the type.
      changes = changes.drop { !$0.change.isAdoption }
      var planner = AdoptionPlanner(adoption, changes, adoptions, rows)
      let (operation, copied) = try planner.plan(description)
      first.append(operation)
      guard operation.step.refusal == nil else {
        return TableMigration(schema: schema, refusing: first, table: description)
      }
      table = copied
    }
    try TablePlanner.checkName(of: table, for: schema)
    guard !table.isForeign || adoption != nil else {
      first.append(MigrationOperation(TablePlanner.undeclaredAdoption(of: table, schema)))
      return TableMigration(schema: schema, refusing: first, table: table)
    }
    var segments = [try segment(of: schema, from: table, changes, after: first)]
    while let last = segments.last, let remaining = last.remaining {
      segments.append(try segment(of: schema, from: last.afterSteps, remaining))
    }
    if !changes.isEmpty, segments.allSatisfy(\.operations.isEmpty) {
      // The steps are recorded.
      let step = MagicMigrationPlan.Step(
        type: schema.typeName, kind: .additive, summary: changes.recordingSummary)
      segments = [try segment(of: schema, from: table, changes, after: [MigrationOperation(step)])]
    }
    return TableMigration(
      schema: schema, owned: description.owned, segments: segments, isAdoption: adoption != nil)
  }

  /// Plans the operations for one type up to the next change that runs the user's code, or up to
  /// the end.
  ///
  /// - Parameter first: operations that run before the changes.
  package func segment(
    of schema: ObjectSchema, from description: TableDescription,
    _ changes: ArraySlice<PendingChange>, after first: [MigrationOperation] = []
  ) throws -> MigrationSegment {
    var planner = StepPlanner(schema: schema, rows: rows, table: description)
    var operations = first
    for index in changes.indices {
      let before = planner.table
      operations += try planner.operations(for: changes[index...])
      guard changes[index].change.readsRows else { continue }
      operations = Self.dropSearch(of: schema, &planner.table) + operations
      return MigrationSegment(
        operations: operations, beforeUserCode: before, afterSteps: planner.table,
        remaining: changes[(index + 1)...])
    }
    operations += try movedRows(of: schema, in: planner.table)
    operations += try TablePlanner.operations(for: schema, from: planner.table, rows)
    operations += continuedPrimaries(of: schema, after: planner.table)
    operations = Self.withSearch(operations, of: schema, &planner.table)
    return MigrationSegment(
      operations: operations, beforeUserCode: planner.table, afterSteps: planner.table,
      remaining: nil)
  }
}

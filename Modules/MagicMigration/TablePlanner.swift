import MagicEngine
package import MagicSchema
import Magical
package import SQLiteTables

/// Plans the migration of a table to the schema of its type, after the declared migration steps.
///
/// New and renamed columns, indexes and join tables are changed in place. All other changes rebuild
/// the table, once for all of them: SQLite before 3.35 cannot drop a column, and no version of
/// SQLite can change the definition of a column.
package struct TablePlanner {
  let schema: ObjectSchema
  /// The table with the names that its columns have after ``renamings``.
  var table: TableDescription
  let statistics: RowStatistics
  let sql: TableSQL
  /// The lower-case names of the columns and collections in the file that belong to a property of
  /// the type.
  var matched: Set<String> = [TableSQL.zIndex]
  /// The expressions for the columns of a rebuilt table, in the order of the type's columns.
  var sources: [String] = []
  var changes: [TableChange] = []
  /// The renamings of columns. They run first, so that SQLite renames the columns in the user's
  /// indexes and triggers too.
  var renamings: [TableChange] = []
  var links: [LinkChange] = []

  init(_ schema: ObjectSchema, _ table: TableDescription, _ rows: any RowQueries) {
    self.schema = schema
    self.table = table
    statistics = RowStatistics(description: table, queries: rows)
    sql = TableSQL(schema: schema)
  }

  /// Returns the operations of the migration, in order.
  ///
  /// - Throws: `MagicError` if the library did not create the table, or if it cannot be the table
  ///   of the type.
  static func operations(
    for schema: ObjectSchema, from table: TableDescription, _ rows: any RowQueries
  ) throws -> [MigrationOperation] {
    try check(table, for: schema)
    var planner = TablePlanner(schema, table, rows)
    for column in schema.columns { try planner.plan(column) }
    for collection in schema.storedCollections { try planner.plan(collection) }
    try planner.planDeletions()
    return try planner.operations()
  }

  package static func check(_ table: TableDescription, for schema: ObjectSchema) throws {
    try checkName(of: table, for: schema)
    if table.isForeign {
      try MagicMigrationPlan(steps: [undeclaredAdoption(of: table, schema)]).throwIfRefused()
    }
  }

  static func checkName(of table: TableDescription, for schema: ObjectSchema) throws {
    guard table.name == schema.tableName else {
      throw MagicError(
        .tableConflict,
        "Table name \(schema.tableName) conflicts with the existing table \(table.name), because "
          + "SQLite ignores case. Set the tableName of the type to \(table.name), or to an unused "
          + "name.",
        type: schema.typeName)
    }
  }

  /// Returns the step that refuses a table that other SQL has created, for a type that does not adopt it.
  static func undeclaredAdoption(
    of table: TableDescription, _ schema: ObjectSchema
  ) -> MagicMigrationPlan.Step {
    MagicMigrationPlan.Step(
      type: schema.typeName, kind: .additive,
      summary: "table \(table.name) becomes the table of the type",
      refusal: table.isOriginal
        ? "the original MagicData created it; import the file into a new one with "
          + "MagicData.copy(from: .originalMagicData(path, as: types), to: .file(newPath))"
        : "it was not created by this library; declare .adoptTable() in the type's migrations "
          + "to adopt its rows, or give the type another tableName")
  }

  private mutating func planDeletions() throws {
    for column in table.columns where !matched.contains(column.name.folded) {
      // If a step may have set the values, it is unknown how many there are, so at least one is
      // assumed.
      let count = try column.values == .unknown ? 1 : statistics.valueCount(of: column)
      let name =
        column.isDeleted
        ? String(column.name.dropFirst(DeletedColumn.prefix.count)) : column.name
      changes.append(
        TableChange(
          kind: count > 0 ? .destroying : .rewriting, property: nil,
          summary: "\(name) is dropped"
            + (count > 0 && column.isStored ? ", with the values of \(rows(count))" : ""),
          refusal: count > 0 && !column.isDeleted ? declarationHint(name) : nil))
    }
    for collection in table.collections {
      let name = collection.relationship.column
      guard !matched.contains(name.folded) else { continue }
      let count = try statistics.linkCount(of: collection)
      links.append(
        LinkChange(
          change: TableChange(
            kind: count > 0 ? .destroying : .rewriting, property: nil,
            summary: "\(name) is dropped"
              + (count > 0 ? ", with \(RowIDText.joinRows(count))" : ""),
            refusal: count > 0 ? declarationHint(name) : nil
          ),
          after: try statistics.drop(collection)))
    }
  }

  private func declarationHint(_ name: String) -> String {
    "declare .deleteValue(name: \"\(name)\") in the type's migrations to delete it, or "
      + ".wasNamed(\"\(name)\") if the property was renamed"
  }

  func rows(_ count: Int64) -> String { count == 1 ? "one row" : "\(count) rows" }

  // MARK: Ordering the operations

  private func operations() throws -> [MigrationOperation] {
    let isRebuilt = table.isDetached || changes.contains { $0.statements == nil }
    var operations = renamings.map { MigrationOperation(step($0, $0.statements ?? [])) }
    operations += changes.compactMap { change in
      change.preceding.map { MigrationOperation(defaultStep(change, $0), $0) }
    }
    operations += links.compactMap { $0.operation(at: .before, schema, isRebuilt: isRebuilt) }
    if isRebuilt {
      operations += try rebuild()
    } else {
      operations += changes.map { change in
        MigrationOperation(step(change, change.statements ?? []))
      }
    }
    operations += links.compactMap { $0.operation(at: .after, schema, isRebuilt: isRebuilt) }
    if !isRebuilt { operations += storedDefaults() + indexes() }
    operations += changes.compactMap { change in
      change.following.map { MigrationOperation(defaultStep(change, $0), $0) }
    }
    return operations
  }

  private func step(_ change: TableChange, _ statements: [String]) -> MagicMigrationPlan.Step {
    MagicMigrationPlan.Step(
      type: schema.typeName, property: change.property, kind: change.kind,
      summary: change.summary, sql: statements, refusal: change.refusal)
  }

  /// Returns the step that stores a default in existing rows before or after a change.
  private func defaultStep(
    _ change: TableChange, _ action: MigrationOperation.Action
  ) -> MagicMigrationPlan.Step {
    var rows = "existing rows get"
    var column = ""
    var condition = ""
    switch action {
    case .file(let new): column = new.name
    case .missingFile(_, let name):
      rows = "rows without a value get"
      column = name
      condition = " WHERE \(name.quoted) IS NULL"
    default: break
    }
    return MagicMigrationPlan.Step(
      type: schema.typeName, property: change.property, kind: .rewriting,
      summary: "\(rows) the default of \(column)",
      sql: ["UPDATE \(schema.tableName.quoted) SET \(column.quoted) = ?1\(condition)"])
  }

  /// Returns the operation that stores the defaults of all new columns in one statement.
  private func storedDefaults() -> [MigrationOperation] {
    let filled = changes.filter { $0.storedDefault != nil }
    let defaults = filled.compactMap(\.storedDefault)
    guard !defaults.isEmpty else { return [] }
    let names = defaults.map(\.column.name).joined(separator: ", ")
    let assignments = defaults.map { "\($0.column.name.quoted) = \($0.value)" }
    let step = MagicMigrationPlan.Step(
      type: schema.typeName, property: filled.count == 1 ? filled[0].property : nil,
      kind: .rewriting, summary: "existing rows get the default of \(names)",
      sql: ["UPDATE \(schema.tableName.quoted) SET \(assignments.joined(separator: ", "))"])
    return [MigrationOperation(step, .storedDefaults)]
  }

  private func rebuild() throws -> [MigrationOperation] {
    let rebuild = try TableRebuild(schema, table, sources: sources)
    let restored = rebuild.objectsToRestore(from: table.objects)
    let properties = Set(changes.map(\.property))
    // A refused change is named by the refusal.
    let permitted = changes.filter { $0.refusal == nil }.map(\.summary)
    let reasons = changes.isEmpty ? ["migration steps have replaced its rows"] : permitted
    let refusals = changes.compactMap { change in
      change.refusal.map { "\(change.summary): \($0)" }
    }
    let step = MagicMigrationPlan.Step(
      type: schema.typeName, property: properties.count == 1 ? changes[0].property : nil,
      kind: max(.rewriting, changes.map(\.kind).max() ?? .rewriting),
      summary: "the table is rebuilt"
        + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: "; "))"),
      sql: rebuild.statements + restored.map(\.sql),
      refusal: refusals.isEmpty ? nil : refusals.joined(separator: "; "))
    let files = table.columns.filter(\.isFile).map(\.name)
    let declared = schema.fileColumns.map { schema.columns[$0].name }
    let hasSameFiles = !table.isDetached && Set(files) == Set(declared)
    let release =
      hasSameFiles || table.isDetached || files.isEmpty
      ? [] : [MigrationOperation(FileReferenceCounts.release(files, schema))]
    let retain =
      hasSameFiles || declared.isEmpty
      ? []
      : [MigrationOperation(FileReferenceCounts.retain(declared, schema), .countedFiles(declared))]
    return release + [MigrationOperation(step, .rebuild(rebuild))] + retain
  }

  private func indexes() -> [MigrationOperation] {
    func fits(_ existing: TableDescription.Index, _ declared: IndexSchema) -> Bool {
      // The name of a computed index is its definition, in which the case of letters counts.
      if declared.computed != nil { return existing.name == declared.name }
      return existing.name.isName(declared.name) && existing.isUnique == declared.isUnique
        && existing.columns.map(\.folded) == declared.columns.map(\.folded)
    }
    // Indexes that the user's SQL created have other names, and are kept.
    let surplus = table.indexes.filter { existing in
      existing.name.hasPrefix(IndexSchema.prefix(ofTable: schema.tableName))
        && !schema.indexes.contains { fits(existing, $0) }
    }
    let missing = schema.indexes.filter { declared in
      !table.indexes.contains { fits($0, declared) }
    }
    func operation(_ summary: String, _ statement: String) -> MigrationOperation {
      MigrationOperation(
        MagicMigrationPlan.Step(
          type: schema.typeName, kind: .additive, summary: summary, sql: [statement]))
    }
    return surplus.map {
      operation("the index \($0.name) is dropped", "DROP INDEX \($0.name.quoted)")
    } + missing.map { operation("the index \($0.name) is created", sql.create($0)) }
  }
}

extension ObjectSchema {
  /// Returns the current name of a property, then its former names.
  package func names(of property: PropertySchema) -> [String] {
    [property.name] + formerNames(of: property)
  }

  /// Returns the former names of a property, except those that another property of the type has
  /// now.
  func formerNames(of property: PropertySchema) -> [String] {
    property.formerNames.filter { former in
      !columns.contains { $0.name.isName(former) }
        && !collections.contains { $0.name.isName(former) }
    }
  }
}

import MagicEngine
package import MagicSchema
package import SQLiteTables

/// Plans the changes of the declared migration steps, and tracks the schema of the table after each
/// of them.
package struct StepPlanner {
  package let schema: ObjectSchema
  package let rows: any RowQueries
  /// The description of the table after the planned operations.
  package var table: TableDescription

  package init(schema: ObjectSchema, rows: any RowQueries, table: TableDescription) {
    self.schema = schema
    self.rows = rows
    self.table = table
  }

  private var statistics: RowStatistics { RowStatistics(description: table, queries: rows) }

  /// Returns the changes that have not run on a table yet, in order.
  ///
  /// - Throws: `MagicError` with `.newerSchema` if steps have run on the table that the type does
  ///   not declare.
  package static func pending(
    _ schema: ObjectSchema, after version: Int
  ) throws -> [PendingChange] {
    guard version <= schema.migrations.version else {
      throw MagicError(
        .newerSchema,
        "Migration step \(version) has run on table \(schema.tableName), but the last step that the "
          + "type declares is \(schema.migrations.version). Update the program; if it is the newest "
          + "version, keep the migration steps of earlier versions. Nothing was changed.",
        type: schema.typeName)
    }
    return schema.migrations.steps(after: version).flatMap { step in
      step.changes.map { PendingChange(number: step.number ?? 0, change: $0) }
    }
  }

  /// Plans the first of the pending changes.
  package mutating func operations(
    for pending: ArraySlice<PendingChange>
  ) throws -> [MigrationOperation] {
    guard let next = pending.first else { return [] }
    let number = next.number
    switch next.change.kind {
    case .add(let name):
      // Columns that the type declares are added by the table planner. Other columns are added here
      // if a later change runs the user's code, which may use them.
      let isNeeded = pending.contains { $0.change.readsRows }
      return isNeeded && schema.property(storedAs: name) == nil && !has(name)
        ? [add(name, "", number)] : []
    case .delete(let name): return try delete(name, number)
    case .rename(let name, let newName): return try rename(name, to: newName, number)
    case .convert(let convertedName):
      let name = storedName(convertedName)
      for column in table.columns.indices where table.columns[column].name.isName(name) {
        table.columns[column].mayLose = true
      }
      for index in table.collections.indices
      where table.collections[index].relationship.column.isName(name) {
        table.collections[index].mayLose = true
      }
      return []
    // The table is adopted before its other changes are planned.
    case .adopt, .adoptJoinTable: return []
    case .transform(let transform):
      let added = try additions(before: pending, number)
      if transform.isUnneeded(in: pending, hasStored) { return added }
      return added + self.transform(transform, number)
    case .sql(let statement):
      return try additions(before: pending, number) + sql(statement, number)
    }
  }

  /// Returns the name in the table of a property that a step names. A property is found by its
  /// current name and its former names, because the renaming may not have run on the file yet.
  private func storedName(_ name: String) -> String {
    if has(name) { return name }
    return schema.names(sharedWith: name).first(where: has) ?? name
  }

  private func hasStored(_ name: String) -> Bool { has(storedName(name)) }

  private func has(_ name: String) -> Bool {
    table.column(named: name) != nil || table.collection(named: name) != nil
  }

  private func step(
    _ number: Int, _ kind: MagicMigrationPlan.Kind, _ summary: String, _ sql: [String],
    property: String? = nil, refusal: String? = nil
  ) -> MagicMigrationPlan.Step {
    MagicMigrationPlan.Step(
      type: schema.typeName, property: property, kind: kind, summary: "step \(number), \(summary)",
      sql: sql, refusal: refusal)
  }

  private var quotedTable: String { table.name.quoted }

  // MARK: New columns

  private mutating func add(
    _ name: String, _ definition: String, _ number: Int, values: TableDescription.Values = .none
  ) -> MigrationOperation {
    let text = definition.isEmpty ? name.quoted : definition
    table.columns.append(
      TableDescription.Column(
        name: name, type: "", isRequired: false, isKey: false, isFile: false, toOne: nil,
        values: values, isFree: true))
    return MigrationOperation(
      step(number, .additive, "\(name) is added", ["ALTER TABLE \(quotedTable) ADD COLUMN \(text)"])
    )
  }

  /// Adds the columns of the type that the table lacks, so that the user's SQL and closures can use
  /// them.
  private mutating func additions(
    before rest: ArraySlice<PendingChange>, _ number: Int
  ) throws -> [MigrationOperation] {
    let laterNames = names(renamedBy: rest)
    var operations: [MigrationOperation] = []
    for column in schema.columns {
      let names = schema.names(of: column)
      guard !laterNames.contains(column.name.folded), !names.contains(where: has) else {
        continue
      }
      var definition = column.name.quoted
      let type = TableSQL.declaredType(column.storageClass)
      if !type.isEmpty { definition += " \(type)" }
      let value = try SQLDefault(of: column, in: schema, for: .definition, rows)
      if case .expression(let literal) = value { definition += " DEFAULT \(literal)" }
      operations.append(add(column.name, definition, number, values: .unknown))
      guard let (expression, action) = try fillingExistingRows(value, column) else { continue }
      operations.append(
        MigrationOperation(
          step(
            number, .rewriting, "existing rows get the default of \(column.name)",
            ["UPDATE \(quotedTable) SET \(column.name.quoted) = \(expression)"]), action))
    }
    return operations
  }

  /// Returns the value and the action that store a default in existing rows, if the default is not
  /// a literal.
  private func fillingExistingRows(
    _ value: SQLDefault, _ column: ColumnSchema
  ) throws -> (String, MigrationOperation.Action)? {
    guard try statistics.hasRows else { return nil }
    switch value {
    case .file: return ("?1", .file(column))
    case .expression(let literal):
      guard
        case .expression(let exact) = try SQLDefault(
          of: column, in: schema, for: .rows, rows),
        exact != literal
      else { return nil }
      return (exact, .storedDefaults)
    case .null, .missing: return nil
    }
  }

  /// Returns the lower-case names that later renamings give to properties of the table.
  private func names(renamedBy rest: ArraySlice<PendingChange>) -> Set<String> {
    var laterNames: Set<String> = []
    for case .rename(let name, let newName) in rest.map(\.change.kind)
    where has(name) || laterNames.contains(name.folded) {
      laterNames.insert(newName.folded)
    }
    return laterNames
  }

  // MARK: Names

  private mutating func delete(
    _ deletedName: String, _ number: Int
  ) throws -> [MigrationOperation] {
    // Only the current name of a property refers to that property here; a former name refers to the
    // column that still has it.
    let name =
      schema.property(storedAs: deletedName) == nil ? deletedName : storedName(deletedName)
    let statistics = statistics
    if let index = table.collections.firstIndex(where: { $0.relationship.column.isName(name) }) {
      let collection = table.collections.remove(at: index)
      table.replaceOwned(collection.owned, by: nil)
      return [
        MigrationOperation(
          step(
            number, try statistics.linkCount(of: collection) > 0 ? .destroying : .additive,
            "the join rows of \(name) are deleted",
            try statistics.drop(collection) + [forgetRelationship(collection.relationship.column)]))
      ]
    }
    guard
      let index = table.columns.firstIndex(where: {
        $0.name.isName(name) && !$0.isKey && !$0.isDeleted
      })
    else { return [] }
    let old = table.columns[index]
    let isEmpty = try old.values == .none || old.isStored && statistics.valueCount(of: old) == 0
    var deleted = DeletedColumn.prefix + old.name
    while table.columns.contains(where: { $0.name.isName(deleted) }) { deleted += "'" }
    table.renameColumn(at: index, to: deleted)
    table.columns[index].toOne = nil
    return [
      MigrationOperation(
        step(
          number, isEmpty ? .additive : .destroying, "\(old.name) is deleted",
          [
            "ALTER TABLE \(quotedTable) RENAME COLUMN \(old.name.quoted) TO \(deleted.quoted)"
          ] + (old.toOne == nil ? [] : [forgetRelationship(old.name)])
            + renameFile(old, to: deleted)))
    ]
  }

  private mutating func rename(
    _ oldName: String, to newName: String, _ number: Int
  ) throws -> [MigrationOperation] {
    let name = has(newName) ? oldName : storedName(oldName)
    guard has(name), !name.isName(newName) else { return [] }
    let refusal = has(newName) ? "the table already has \(newName)" : nil
    let summary = "\(name) is renamed to \(newName)"
    if let index = table.collections.firstIndex(where: { $0.relationship.column.isName(name) }) {
      let sql = renameCollection(at: index, to: newName)
      return [
        MigrationOperation(
          step(number, .additive, summary, sql, refusal: refusal), .replacement)
      ]
    }
    guard
      let index = table.columns.firstIndex(where: { $0.name.isName(name) && !$0.isKey })
    else { return [] }
    let old = table.columns[index]
    table.renameColumn(at: index, to: newName)
    return [
      MigrationOperation(
        step(
          number, .additive, summary,
          [
            "ALTER TABLE \(quotedTable) RENAME COLUMN \(old.name.quoted) TO \(newName.quoted)"
          ] + (old.toOne == nil ? [] : [renameRelationship(old.name, to: newName)])
            + renameFile(old, to: newName), refusal: refusal))
    ]
  }

  /// - Returns: the SQL that renames a collection in the file.
  private mutating func renameCollection(at index: Int, to newName: String) -> [String] {
    let old = table.collections[index]
    let oldName = old.relationship.column
    let new = JoinTableName.name(owner: table.name, property: newName)
    table.collections[index].rename(to: newName, linkTable: new)
    if let oldColumns = old.owned, let newColumns = table.collections[index].owned {
      table.replaceOwned(oldColumns, by: newColumns)
      return oldColumns.rename(to: newColumns) + [renameRelationship(oldName, to: newName)]
    }
    return LinkChange.rename(old.linkTable, to: new) + [
      "UPDATE \"magic_relationships\" SET \"property\" = \(newName.literal), "
        + "\"link_table\" = \(new.literal) WHERE \"owner_table\" = \(table.name.literal) "
        + "AND \"property\" = \(oldName.literal)"
    ]
  }

  private func renameRelationship(_ name: String, to newName: String) -> String {
    "UPDATE \"magic_relationships\" SET \"property\" = \(newName.literal) "
      + "WHERE \"owner_table\" = \(table.name.literal) AND \"property\" = \(name.literal)"
  }

  private func forgetRelationship(_ name: String) -> String {
    "DELETE FROM \"magic_relationships\" "
      + "WHERE \"owner_table\" = \(table.name.literal) AND \"property\" = \(name.literal)"
  }

  private func renameFile(_ column: TableDescription.Column, to name: String) -> [String] {
    guard column.isFile else { return [] }
    return [
      "UPDATE \"magic_asset_columns\" SET \"column_name\" = \(name.literal) "
        + "WHERE \"table_name\" = \(table.name.literal) "
        + "AND \"column_name\" = \(column.name.literal)"
    ]
  }

  // MARK: Rows

  private mutating func transform(
    _ transform: RowTransform, _ number: Int
  ) -> [MigrationOperation] {
    let columns =
      table.columns.filter { !$0.isKey }.map(\.name) + table.owned.flatMap(\.columns)
    let transformation = RowTransformation(
      schema: schema, columns: columns, transform: transform,
      property: transform.property.map(storedName))
    var operations: [MigrationOperation] = []
    let files = table.columns.filter(\.isFile).map(\.name)
    if !table.isDetached, !files.isEmpty {
      operations.append(MigrationOperation(FileReferenceCounts.release(files, schema)))
    }
    operations.append(
      MigrationOperation(
        step(
          number, .rewriting, "\(transform.summary) by a closure",
          transformation.statementsBeforeRows + transformation.statementsAfterRows
            + transformation.objectsToRestore(from: table.objects).map(\.sql),
          refusal: transform.refusal(hasStored)),
        .transformation(transformation), ofStep: number))
    table.isDetached = true
    for column in table.columns.indices where !table.columns[column].isKey {
      if let property = transformation.property,
        !table.columns[column].name.isName(property)
      {
        continue
      }
      table.columns[column].values = .unknown
      table.columns[column].isFree = true
    }
    return operations
  }

  private mutating func sql(_ statement: String, _ number: Int) -> [MigrationOperation] {
    for column in table.columns.indices where !table.columns[column].isKey {
      table.columns[column].values = .unknown
    }
    return [
      MigrationOperation(
        step(number, .rewriting, "rows are changed by SQL", [statement]), .userStatement,
        ofStep: number)
    ]
  }
}

extension ObjectSchema {
  /// Returns all names of the property that has a name now or had it before.
  package func names(sharedWith name: String) -> [String] {
    for property: PropertySchema in columns + collections {
      let names = names(of: property)
      if names.contains(where: { $0.isName(name) }) { return names }
    }
    return []
  }
}

import MagicSQLite
import MagicSchema

/// Plans the changes of a type's own steps, and follows what they make of its table.
struct StepPlanner {
  let schema: ObjectSchema
  let connection: SQLiteConnection
  /// What the table will be after what was planned.
  var shape: TableShape

  /// A change that is still to be carried out.
  struct Pending {
    /// The number of its step.
    let number: Int
    let change: MigrationChange
  }

  /// The changes that a table has not seen yet, in order.
  ///
  /// - Throws: `MagicError` with `.newerSchema` where it has seen more than the type has.
  static func pending(
    _ schema: ObjectSchema, after version: Int
  ) throws -> [Pending] {
    guard version <= schema.migrations.version else {
      throw MagicError(
        .newerSchema,
        "The table \(schema.tableName) has taken migration step \(version), the type knows "
          + "\(schema.migrations.version). Nothing was changed.", type: schema.typeName)
    }
    return schema.migrations.steps(after: version).flatMap { step in
      step.changes.map { Pending(number: step.number ?? 0, change: $0) }
    }
  }

  /// What one of the changes needs.
  mutating func works(for pending: [Pending], at index: Int) throws -> [MigrationWork] {
    let (number, kind) = (pending[index].number, pending[index].change.kind)
    switch kind {
    case .add(let name):
      // The type itself says what is to be added; SQL of the step that wants it finds it.
      let isWanted = pending[index...].contains { $0.change.readsRows }
      return isWanted && schema.property(storedAs: name) == nil && !has(name)
        ? [add(name, "", number)] : []
    case .delete(let name): return try delete(name, number)
    case .rename(let name, let newName): return try rename(name, to: newName, number)
    case .convert(let convertedName):
      let name = storedName(convertedName)
      for column in shape.columns.indices where shape.columns[column].name.isName(name) {
        shape.columns[column].mayLose = true
      }
      for place in shape.collections.indices
      where shape.collections[place].relationship.column.isName(name) {
        shape.collections[place].mayLose = true
      }
      return []
    case .transform(let transform):
      return try additions(before: pending[index...], number)
        + self.transform(transform, number)
    case .sql(let statement):
      return try additions(before: pending[index...], number) + sql(statement, number)
    }
  }

  /// The name under which the table has what a step names. A property that has got another name
  /// goes by any of its names: a file may not have seen the renaming yet.
  private func storedName(_ name: String) -> String {
    if has(name) { return name }
    return schema.names(sharedWith: name).first(where: has) ?? name
  }

  private func has(_ name: String) -> Bool {
    shape.column(named: name) != nil || shape.collection(named: name) != nil
  }

  private func step(
    _ number: Int, _ kind: MagicMigrationPlan.Kind, _ summary: String, _ sql: [String],
    property: String? = nil, refusal: String? = nil
  ) -> MagicMigrationPlan.Step {
    MagicMigrationPlan.Step(
      type: schema.typeName, property: property, kind: kind, summary: "step \(number), \(summary)",
      sql: sql, refusal: refusal)
  }

  private var table: String { shape.name.quoted }

  // MARK: Columns that come

  private mutating func add(
    _ name: String, _ definition: String, _ number: Int, values: TableShape.Values = .none
  ) -> MigrationWork {
    let text = definition.isEmpty ? name.quoted : definition
    shape.columns.append(
      TableShape.Column(
        name: name, type: "", isRequired: false, isKey: false, isFile: false, toOne: nil,
        values: values, isFree: true))
    return MigrationWork(
      step(number, .additive, "\(name) is added", ["ALTER TABLE \(table) ADD COLUMN \(text)"]))
  }

  /// What the type has and the table has not: SQL and closures are to find it.
  private mutating func additions(
    before rest: ArraySlice<Pending>, _ number: Int
  ) throws -> [MigrationWork] {
    let coming = names(renamedBy: rest)
    var works: [MigrationWork] = []
    for column in schema.columns {
      let names = schema.names(of: column)
      guard !coming.contains(column.name.folded), !names.contains(where: has) else {
        continue
      }
      var definition = column.name.quoted
      let type = TableSQL.declaredType(column)
      if !type.isEmpty { definition += " \(type)" }
      let value = try SQLDefault(of: column, in: schema, for: .definition, on: connection)
      if case .expression(let literal) = value { definition += " DEFAULT \(literal)" }
      works.append(add(column.name, definition, number, values: .unknown))
      guard let (expression, action) = try following(value, column) else { continue }
      works.append(
        MigrationWork(
          step(
            number, .rewriting, "the rows that are there get the default of \(column.name)",
            ["UPDATE \(table) SET \(column.name.quoted) = \(expression)"]), action))
    }
    return works
  }

  /// What gives the rows that are there a default that is no literal: the value, and how it is stored.
  private func following(
    _ value: SQLDefault, _ column: ColumnSchema
  ) throws -> (String, MigrationWork.Action)? {
    guard try TableFacts(connection: connection, shape: shape).hasRows else { return nil }
    switch value {
    case .file: return ("?1", .file(column))
    case .expression(let literal):
      guard
        case .expression(let exact) = try SQLDefault(
          of: column, in: schema, for: .rows, on: connection),
        exact != literal
      else { return nil }
      return (exact, .storedDefaults)
    case .null, .missing: return nil
    }
  }

  /// The names that properties of the table will have by renaming, in lower case.
  private func names(renamedBy rest: ArraySlice<Pending>) -> Set<String> {
    var coming: Set<String> = []
    for case .rename(let name, let newName) in rest.map(\.change.kind)
    where has(name) || coming.contains(name.folded) {
      coming.insert(newName.folded)
    }
    return coming
  }

  // MARK: Names

  private mutating func delete(_ deletedName: String, _ number: Int) throws -> [MigrationWork] {
    // What had a name before is not what is meant by that name.
    let name =
      schema.property(storedAs: deletedName) == nil ? deletedName : storedName(deletedName)
    let facts = TableFacts(connection: connection, shape: shape)
    if let place = shape.collections.firstIndex(where: { $0.relationship.column.isName(name) }) {
      let collection = shape.collections.remove(at: place)
      return [
        MigrationWork(
          step(
            number, try facts.linkCount(of: collection) > 0 ? .destroying : .additive,
            "the links of \(name) go",
            LinkChange.drop(collection) + [forgetRelationship(collection.relationship.column)]))
      ]
    }
    guard
      let place = shape.columns.firstIndex(where: {
        $0.name.isName(name) && !$0.isKey && !$0.isDeleted
      })
    else { return [] }
    let old = shape.columns[place]
    let isEmpty = try old.values == .none || old.isStored && facts.valueCount(of: old) == 0
    var deleted = TableShape.Column.deletedPrefix + old.name
    while shape.columns.contains(where: { $0.name.isName(deleted) }) { deleted += "'" }
    shape.renameColumn(at: place, to: deleted)
    shape.columns[place].toOne = nil
    return [
      MigrationWork(
        step(
          number, isEmpty ? .additive : .destroying, "\(old.name) goes",
          [
            "ALTER TABLE \(table) RENAME COLUMN \(old.name.quoted) TO \(deleted.quoted)"
          ] + (old.toOne == nil ? [] : [forgetRelationship(old.name)])
            + renameFile(old, to: deleted)))
    ]
  }

  private mutating func rename(
    _ oldName: String, to newName: String, _ number: Int
  ) throws -> [MigrationWork] {
    let name = has(newName) ? oldName : storedName(oldName)
    guard has(name), !name.isName(newName) else { return [] }
    let refusal = has(newName) ? "the table has \(newName) already" : nil
    let summary = "\(name) is renamed to \(newName)"
    if let place = shape.collections.firstIndex(where: { $0.relationship.column.isName(name) }) {
      let old = shape.collections[place].linkTable
      let oldName = shape.collections[place].relationship.column
      let new = LinkTable.name(owner: shape.name, property: newName)
      shape.collections[place].rename(to: newName, linkTable: new)
      return [
        MigrationWork(
          step(
            number, .additive, summary,
            LinkChange.rename(old, to: new) + [
              "UPDATE \"magic_relationships\" SET \"property\" = \(newName.literal), "
                + "\"link_table\" = \(new.literal) "
                + "WHERE \"owner_table\" = \(shape.name.literal) "
                + "AND \"property\" = \(oldName.literal)"
            ], refusal: refusal), .replacement)
      ]
    }
    guard
      let place = shape.columns.firstIndex(where: { $0.name.isName(name) && !$0.isKey })
    else { return [] }
    let old = shape.columns[place]
    shape.renameColumn(at: place, to: newName)
    return [
      MigrationWork(
        step(
          number, .additive, summary,
          [
            "ALTER TABLE \(table) RENAME COLUMN \(old.name.quoted) TO \(newName.quoted)"
          ] + (old.toOne == nil ? [] : [renameRelationship(old.name, to: newName)])
            + renameFile(old, to: newName), refusal: refusal))
    ]
  }

  private func renameRelationship(_ name: String, to newName: String) -> String {
    "UPDATE \"magic_relationships\" SET \"property\" = \(newName.literal) "
      + "WHERE \"owner_table\" = \(shape.name.literal) AND \"property\" = \(name.literal)"
  }

  private func forgetRelationship(_ name: String) -> String {
    "DELETE FROM \"magic_relationships\" "
      + "WHERE \"owner_table\" = \(shape.name.literal) AND \"property\" = \(name.literal)"
  }

  private func renameFile(_ column: TableShape.Column, to name: String) -> [String] {
    guard column.isFile else { return [] }
    return [
      "UPDATE \"magic_asset_columns\" SET \"column_name\" = \(name.literal) "
        + "WHERE \"table_name\" = \(shape.name.literal) "
        + "AND \"column_name\" = \(column.name.literal)"
    ]
  }

  // MARK: Rows

  private mutating func transform(
    _ transform: RowTransform, _ number: Int
  ) throws -> [MigrationWork] {
    let columns = shape.columns.filter { !$0.isKey }.map(\.name)
    let transformation = RowTransformation(
      schema: schema, columns: columns, transform: transform,
      property: transform.property.map(storedName),
      others: try ForeignDefinition.all(
        on: shape.storedName, except: Set(AssetTriggers.suffixes.map { shape.storedName + $0 }),
        connection))
    var works: [MigrationWork] = []
    let files = shape.columns.filter(\.isFile).map(\.name)
    if !shape.isDetached, !files.isEmpty {
      works.append(MigrationWork(FileCounting.release(files, schema)))
    }
    works.append(
      MigrationWork(
        step(
          number, .rewriting, "\(transform.summary) through a closure",
          transformation.opening + transformation.closing
            + transformation.others.map(\.sql)), .transformation(transformation)))
    shape.isDetached = true
    for column in shape.columns.indices where !shape.columns[column].isKey {
      if let property = transformation.property,
        !shape.columns[column].name.isName(property)
      {
        continue
      }
      shape.columns[column].values = .unknown
      shape.columns[column].isFree = true
    }
    return works
  }

  private mutating func sql(_ statement: String, _ number: Int) -> [MigrationWork] {
    for column in shape.columns.indices where !shape.columns[column].isKey {
      shape.columns[column].values = .unknown
    }
    return [
      MigrationWork(
        step(number, .rewriting, "rows are changed by SQL", [statement]), .userStatement)
    ]
  }
}

extension MigrationChange {
  /// Whether it looks at rows, so that it needs columns to be there, and may set values to anything.
  var readsRows: Bool {
    switch kind {
    case .transform, .sql: true
    case .add, .delete, .rename, .convert: false
    }
  }
}

extension ObjectSchema {
  /// The names of the property that has a name, or had it.
  func names(sharedWith name: String) -> [String] {
    for property: PropertySchema in columns + collections {
      let names = names(of: property)
      if names.contains(where: { $0.isName(name) }) { return names }
    }
    return []
  }
}

import MagicEngine
import MagicMigration
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLTables

/// The declared migration steps.
extension TypePlanner {
  /// Plans changes up to the first that runs the user's code.
  ///
  /// - Returns: the changes after that one; nil if all are planned.
  mutating func plan(_ changes: ArraySlice<PendingChange>) throws -> ArraySlice<PendingChange>? {
    for index in changes.indices {
      let first = operations.count
      try plan(first: changes[index...])
      for operation in operations.indices[first...] {
        operations[operation].stepNumber = changes[index].number
      }
      if changes[index].change.readsRows { return changes[(index + 1)...] }
    }
    return nil
  }

  private mutating func plan(first changes: ArraySlice<PendingChange>) throws {
    guard let next = changes.first else { return }
    let number = next.number
    switch next.change.kind {
    case .add(let name):
      let isNeeded = changes.contains { $0.change.readsRows }
      guard isNeeded, schema.property(storedAs: name) == nil, !table.has(name) else { return }
      // The type of the column is not declared. A closure that sets it replaces the column.
      addFree(name, .text, nil, PostgreSQLType.text.sql, "step \(number), \(name) is added")
    case .delete(let name): try delete(name, number)
    case .rename(let name, let newName): try rename(name, to: newName, number)
    case .convert: break
    case .adopt, .adoptJoinTable:
      add(
        .additive, "step \(number), rows of another table are adopted",
        refusal: "databases of PostgreSQL do not adopt tables of other programs")
    case .transform(let transform):
      try planAdditions(before: changes, number)
      if !transform.isUnneeded(in: changes, { table.has(storedName($0)) }) {
        planTransformation(transform, number)
      }
    case .sql(let statement):
      try planAdditions(before: changes, number)
      add(.rewriting, "step \(number), rows are changed by SQL", [statement], .userStatement)
      for index in table.columns.indices { table.columns[index].values = .unknown }
    }
  }

  /// Returns the name in the table of a property that a step names. A property is found by its
  /// current name and its former names, because the renaming may not have run on the table yet.
  func storedName(_ name: String) -> String {
    if table.has(name) { return name }
    return schema.names(sharedWith: name).first(where: table.has) ?? name
  }

  // MARK: New columns

  private mutating func addFree(
    _ name: String, _ type: PostgreSQLType, _ collation: MagicCollation?, _ definition: String,
    _ summary: String, fill: [String] = []
  ) {
    add(
      .additive, summary,
      ["ALTER TABLE \(quotedTable) ADD COLUMN \(name.quoted) \(definition)"] + fill)
    table.columns.append(
      StoredColumn(
        name: name, values: .unknown, type: type, collation: collation, isRequired: false,
        reference: nil, isFile: false, isFree: true))
    noteFree(name)
  }

  /// Adds the columns of the type that the table lacks, so that the user's SQL and closures can use
  /// them.
  private mutating func planAdditions(
    before rest: ArraySlice<PendingChange>, _ number: Int
  ) throws {
    var laterNames: Set<String> = []
    for case .rename(let name, let newName) in rest.map(\.change.kind)
    where table.has(name) || laterNames.contains(name.folded) {
      laterNames.insert(newName.folded)
    }
    for column in schema.columns where !column.isRowID {
      let names = schema.names(of: column)
      guard !laterNames.contains(column.name.folded), !names.contains(where: table.has) else {
        continue
      }
      let summary = "step \(number), \(column.name) is added"
      switch try ColumnDefault(of: column, in: schema) {
      case .literal(let value):
        addFree(
          column.name, column.type, column.collation, "\(column.typeSQL) DEFAULT \(value)", summary,
          fill: ["ALTER TABLE \(quotedTable) ALTER COLUMN \(column.name.quoted) DROP DEFAULT"])
      case .generated(let value):
        addFree(
          column.name, column.type, column.collation, column.typeSQL, summary,
          fill: ["UPDATE \(quotedTable) SET \(column.name.quoted) = \(value)"])
      case .file, .null, .missing:
        addFree(column.name, column.type, column.collation, column.typeSQL, summary)
      }
    }
  }

  // MARK: Names

  private mutating func delete(_ deletedName: String, _ number: Int) throws {
    // Only the current name of a property refers to that property here; a former name refers to the
    // column that still has it.
    let name =
      schema.property(storedAs: deletedName) == nil ? deletedName : storedName(deletedName)
    if let index = table.collection(named: name) {
      let collection = table.collections.remove(at: index)
      let count = try rows.linkCount(of: collection)
      return add(
        count > 0 ? .destroying : .additive,
        "step \(number), the join rows of \(name) are deleted",
        ["DROP TABLE \(collection.joinTable.quoted)", forgetRelationship(collection.name)])
    }
    guard let index = table.column(named: name) else { return }
    let old = table.columns.remove(at: index)
    let count = old.values == .unknown ? 1 : try rows.valueCount(of: old, in: table)
    add(
      count > 0 ? .destroying : .additive, "step \(number), \(old.name) is deleted",
      drop(old) + (old.reference == nil ? [] : [forgetRelationship(old.name)]))
    forgetIndexes(over: old.name)
  }

  private mutating func rename(_ oldName: String, to newName: String, _ number: Int) throws {
    let name = table.has(newName) ? oldName : storedName(oldName)
    guard table.has(name), !name.isName(newName) else { return }
    let refusal = table.has(newName) ? "the table already has \(newName)" : nil
    let summary = "step \(number), \(name) is renamed to \(newName)"
    if let index = table.collection(named: name) {
      let old = table.collections[index]
      let joinTable = JoinTableName.name(owner: table.name, property: newName)
      table.collections[index].name = newName
      table.collections[index].joinTable = joinTable
      return add(
        .additive, summary,
        Self.rename(joinTable: old.joinTable, to: joinTable)
          + [renameRelationship(old.name, to: newName, joinTable: joinTable)], refusal: refusal)
    }
    guard let index = table.column(named: name), refusal == nil else {
      return add(.additive, summary, refusal: refusal)
    }
    if freeColumns.contains(name.folded) { noteFree(newName) }
    add(.additive, summary, renameColumn(index, to: newName), refusal: refusal)
  }

  /// Returns the statement that renames a relationship in the catalogue. The catalogue is read again
  /// after steps with code of the user.
  func renameRelationship(
    _ name: String, to newName: String, joinTable: String? = nil
  ) -> String {
    "UPDATE magic_relationships SET property = \(newName.literal)"
      + (joinTable.map { ", join_table = \($0.literal)" } ?? "")
      + " WHERE owner = \(table.name.literal) AND property = \(name.literal)"
  }

  private func forgetRelationship(_ name: String) -> String {
    "DELETE FROM magic_relationships WHERE owner = \(table.name.literal) "
      + "AND property = \(name.literal)"
  }

  // MARK: Rows

  private mutating func planTransformation(_ transform: RowTransform, _ number: Int) {
    add(
      .rewriting, "step \(number), \(transform.summary) by a closure", [],
      refusal: transform.refusal { table.has(storedName($0)) }, .transformation(transform))
    let property = transform.property.map(storedName)
    for index in table.columns.indices {
      if let property, !table.columns[index].name.isName(property) { continue }
      // The closure determines the values and their type.
      table.columns[index].values = .unknown
      table.columns[index].type = nil
      table.columns[index].isFree = true
    }
  }
}

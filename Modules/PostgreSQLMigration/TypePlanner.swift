import MagicMigration
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLTables

/// Plans the migration of one table to its type: the declared migration steps, and then the remaining
/// differences.
///
/// The server can change every part of a table in place, in the transaction. The planner queries
/// stored rows and changes nothing. It tracks the description of the table after each operation.
struct TypePlanner {
  let schema: ObjectSchema
  let rows: StoredRows
  /// The table after the planned operations.
  var table: StoredTable
  /// The properties whose values may be lost by a conversion, by the names that steps give.
  var convertible: Set<String>
  var operations: [Operation] = []
  /// The operations that follow those on columns, for example the deletion of join tables whose rows
  /// were copied.
  var lastOperations: [Operation] = []
  /// The folded names of columns that steps have added, or whose values they have set.
  private(set) var freeColumns: Set<String>
  /// The folded names of the columns and collections that belong to a property of the type.
  var matched: Set<String> = []

  init(
    _ schema: ObjectSchema, _ table: StoredTable, _ changes: some Collection<PendingChange>,
    free: Set<String> = [], _ rows: StoredRows
  ) {
    self.schema = schema
    self.table = table
    self.rows = rows
    freeColumns = free
    for index in self.table.columns.indices
    where free.contains(self.table.columns[index].name.folded) {
      self.table.columns[index].isFree = true
    }
    convertible = Set(
      changes.compactMap { pending in
        guard case .convert(let name) = pending.change.kind else { return nil }
        return name.folded
      })
  }

  mutating func noteFree(_ column: String) { freeColumns.insert(column.folded) }

  var quotedTable: String { table.name.quoted }

  /// Whether a step permits that the conversion of a property loses values.
  func mayLose(_ property: PropertySchema) -> Bool {
    ([property.property] + schema.names(of: property)).contains { convertible.contains($0.folded) }
  }

  mutating func add(
    _ kind: MagicMigrationPlan.Kind, _ summary: String, _ sql: [String] = [],
    property: String? = nil, refusal: String? = nil, _ action: Operation.Action = .statements
  ) {
    operations.append(
      Operation(
        step: MagicMigrationPlan.Step(
          type: schema.typeName, property: property, kind: kind, summary: summary, sql: sql,
          refusal: refusal), action: action))
  }

  /// Plans the differences between the table and the type, after all steps.
  mutating func planDifferences() throws {
    for column in schema.columns { try plan(column) }
    for collection in schema.storedCollections { try plan(collection) }
    try planDeletions()
    operations += lastOperations
    lastOperations = []
    try planIndexes()
    try planForeignKeys()
  }

  // MARK: Deletions

  private mutating func planDeletions() throws {
    for column in table.columns where !matched.contains(column.name.folded) {
      // It is unknown how many values a step may have set, so at least one is assumed.
      let count = column.values == .unknown ? 1 : try rows.valueCount(of: column, in: table)
      let values = column.values == .unknown ? "" : ", with the values of \(Self.rows(count))"
      add(
        count > 0 ? .destroying : .additive,
        "\(column.name) is dropped" + (count > 0 ? values : ""),
        drop(column), refusal: count > 0 ? declarationHint(column.name) : nil)
      forgetIndexes(over: column.name)
    }
    table.columns.removeAll { !matched.contains($0.name.folded) }
    for collection in table.collections where !matched.contains(collection.name.folded) {
      let count = try rows.linkCount(of: collection)
      add(
        count > 0 ? .destroying : .additive,
        "\(collection.name) is dropped" + (count > 0 ? ", with \(RowIDText.joinRows(count))" : ""),
        ["DROP TABLE \(collection.joinTable.quoted)"],
        refusal: count > 0 ? declarationHint(collection.name) : nil)
    }
    table.collections.removeAll { !matched.contains($0.name.folded) }
  }

  /// Returns the statements that drop a column. Rows release their assets first.
  func drop(_ column: StoredColumn) -> [String] {
    var sql: [String] = []
    if column.isFile {
      sql = [
        "UPDATE \(quotedTable) SET \(column.name.quoted) = DEFAULT "
          + "WHERE \(column.name.quoted) <> ''",
        "DROP TRIGGER \(TableDefinition.assetTrigger(column.name, of: table.name).quoted) "
          + "ON \(quotedTable)",
      ]
      if column.isRequired {
        sql.insert(
          "ALTER TABLE \(quotedTable) ALTER COLUMN \(column.name.quoted) DROP NOT NULL", at: 0)
      }
    }
    return sql + ["ALTER TABLE \(quotedTable) DROP COLUMN \(column.name.quoted)"]
  }

  /// The server drops the indexes over a column together with it.
  mutating func forgetIndexes(over column: String) {
    table.indexes.removeAll { $0.columns.contains(column) }
  }

  private func declarationHint(_ name: String) -> String {
    "declare .deleteValue(name: \"\(name)\") in the type's migrations to delete it, or "
      + ".wasNamed(\"\(name)\") if the property was renamed"
  }

  static func rows(_ count: Int64) -> String { count == 1 ? "one row" : "\(count) rows" }

  // MARK: Indexes

  /// Renames, drops and creates indexes. What an interrupted creation has left is dropped.
  private mutating func planIndexes() throws {
    let definition = TableDefinition(schema: schema)
    var missing = definition.indexes
    for index in table.indexes {
      let place = missing.firstIndex {
        index.serves($0.columns, isUnique: $0.isUnique, of: definition)
      }
      guard let place else {
        add(
          .additive, "the index over \(index.columns.joined(separator: ", ")) is dropped",
          ["DROP INDEX \(index.name.quoted)"])
        continue
      }
      let name = TableDefinition.index(
        index.columns, of: schema.tableName, isUnique: index.isUnique)
      if index.name != name {
        add(
          .additive, "the index over \(index.columns.joined(separator: ", ")) is renamed",
          ["ALTER INDEX \(index.name.quoted) RENAME TO \(name.quoted)"])
      }
      missing.remove(at: place)
    }
    for (columns, isUnique) in missing {
      let sql = definition.createIndex(columns, isUnique: isUnique)
      let names = columns.joined(separator: ", ")
      add(
        .additive, "the \(isUnique ? "unique " : "")index over \(names) is created", [sql],
        isUnique ? .uniqueIndex(columns) : .statements)
    }
  }

  // MARK: Foreign keys

  /// Adds the foreign keys and triggers of new columns, and of those that steps have added.
  private mutating func planForeignKeys() throws {
    for index in schema.columns.indices {
      let column = schema.columns[index]
      guard let place = table.column(named: column.name), table.columns[place].isFree else {
        continue
      }
      let sql = try TableDefinition(schema: schema).createForeignKeys(of: [index])
      if !sql.isEmpty {
        add(
          .additive, "\(column.name) gets its foreign key",
          sql, property: column.property)
      }
    }
  }
}

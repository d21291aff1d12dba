import MagicMigration
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Tables of later versions of a type.
extension TypePlanner {
  /// Returns whether the table has the columns and collections of the type.
  mutating func canReadTable() throws -> Bool {
    for column in schema.columns { try plan(column) }
    for collection in schema.storedCollections { try plan(collection) }
    return operations.isEmpty && lastOperations.isEmpty
  }

  /// Returns whether the type can also write to a table that it can read: that has its unique indexes, and
  /// its other columns can do without a value.
  func canWriteTable() throws -> Bool {
    let definition = TableDefinition(schema: schema)
    let hasUniqueIndexes = definition.indexes.filter(\.isUnique).allSatisfy { needed in
      table.indexes.contains { $0.serves(needed.columns, isUnique: true, of: definition) }
    }
    return try hasUniqueIndexes && !hasOtherRequiredColumns()
  }

  private func hasOtherRequiredColumns() throws -> Bool {
    let required = try rows.execute(
      """
      SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass(\(quotedTable.literal)) \
      AND attnum > 0 AND NOT attisdropped AND attnotnull AND NOT atthasdef AND attname <> 'z_index'
      """)
    return (0..<required.count).contains { !matched.contains(required.text($0, 0).folded) }
  }
}

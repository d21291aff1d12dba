import MagicMigration
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Tables of later versions of a type.
extension TypePlanner {
  /// Returns whether the type can use the table as it is: it has the columns, collections and unique indexes
  /// of the type, and its other columns can do without a value.
  mutating func canUseTable() throws -> Bool {
    for column in schema.columns { try plan(column) }
    for collection in schema.storedCollections { try plan(collection) }
    guard operations.isEmpty, lastOperations.isEmpty else { return false }
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

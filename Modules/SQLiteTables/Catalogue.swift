package import MagicSchema
package import MagicSQLite

/// The library's own tables: the format version, one row for each type's table, and the
/// properties, relationships and file columns of the types.
package struct Catalogue {
  package let connection: SQLiteConnection

  package init(connection: SQLiteConnection) {
    self.connection = connection
  }

  package struct Entry: Equatable {
    package let typeName: String
    package let fingerprint: String
  }

  /// Returns the number of the last migration step of a type's table.
  func version(of table: String) throws(SQLiteError) -> Int {
    guard try format() >= Format.numberingSteps else { return 0 }
    let statement = try connection.cachedStatement(
      "SELECT \"version\" FROM \"magic_catalogue\" WHERE \"table_name\" = ?")
    defer { statement.reset() }
    try statement.bind(table, at: 1)
    return try statement.step() ? Int(statement.column(0).integer) : 0
  }

  /// Returns a table's name as it is written in the file; nil if the table does not exist.
  package func tableName(for name: String) throws(SQLiteError) -> String? {
    let statement = try connection.cachedStatement(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE")
    defer { statement.reset() }
    try statement.bind(name, at: 1)
    return try statement.step() ? statement.column(0).text : nil
  }

  package func exists(_ table: String) throws(SQLiteError) -> Bool {
    try tableName(for: table) != nil
  }

  package func entry(for table: String) throws(SQLiteError) -> Entry? {
    guard try exists("magic_catalogue") else { return nil }
    let statement = try connection.cachedStatement(
      "SELECT \"type_name\", \"fingerprint\" FROM \"magic_catalogue\" WHERE \"table_name\" = ?")
    defer { statement.reset() }
    try statement.bind(table, at: 1)
    guard try statement.step() else { return nil }
    return Entry(typeName: statement.column(0).text, fingerprint: statement.column(1).text)
  }

  /// Returns the names of the tables of all types, including types that this program does not have.
  package func typeTables() throws(SQLiteError) -> [String] {
    guard try exists("magic_catalogue") else { return [] }
    let tables = try connection.textColumn("SELECT \"table_name\" FROM \"magic_catalogue\"")
    var existing: [String] = []
    for table in tables where try exists(table) { existing.append(table) }
    return existing
  }

  package func enter(_ schema: ObjectSchema) throws {
    // A relationship that was renamed must not keep its former name.
    let forget = try connection.cachedStatement(
      "DELETE FROM \"magic_relationships\" WHERE \"owner_table\" = ?")
    try forget.bind(schema.tableName, at: 1)
    try forget.run()
    for relationship in try Relationship.all(of: schema) { try enter(relationship) }
    try enterAssets(of: schema)
    let statement = try connection.cachedStatement(
      """
      INSERT INTO "magic_catalogue" ("table_name", "type_name", "fingerprint", "version")
      VALUES (?, ?, ?, ?)
      ON CONFLICT ("table_name") DO UPDATE SET "type_name" = excluded."type_name",
        "fingerprint" = excluded."fingerprint", "version" = excluded."version"
      """)
    try statement.bind(schema.tableName, at: 1)
    try statement.bind(schema.typeName, at: 2)
    try statement.bind(schema.fingerprint, at: 3)
    try statement.bind(Int64(schema.migrations.version), at: 4)
    try statement.run()
    try enter(StoredProperty.all(of: schema), of: schema.tableName)
    try enterCollations()
  }

  private func enter(_ relationship: Relationship) throws(SQLiteError) {
    let statement = try connection.cachedStatement(
      "INSERT OR REPLACE INTO \"magic_relationships\" VALUES (?, ?, ?, ?, ?, ?)")
    try statement.bind(relationship.owner, at: 1)
    try statement.bind(relationship.column, at: 2)
    try statement.bind(relationship.kind, at: 3)
    try statement.bind(relationship.target, at: 4)
    try statement.bind(relationship.rule, at: 5)
    try statement.bind(optional: relationship.linkTable, at: 6)
    try statement.run()
  }

  /// Returns all relationships of the file, including those of types that this program does not
  /// have.
  package func relationships() throws(SQLiteError) -> [Relationship] {
    guard try exists("magic_relationships") else { return [] }
    let statement = try connection.cachedStatement(
      """
      SELECT "owner_table", "property", "kind", "target_table", "on_delete", "link_table"
      FROM "magic_relationships"
      """)
    defer { statement.reset() }
    var relationships: [Relationship] = []
    while try statement.step() {
      relationships.append(
        Relationship(
          owner: statement.column(0).text, column: statement.column(1).text,
          kind: statement.column(2).text, target: statement.column(3).text,
          rule: statement.column(4).text,
          linkTable: statement.column(5).textOrNil))
    }
    return relationships
  }

  /// Returns the row ID of the table's last row that is in the range or before it, and the highest
  /// row ID of a deleted row.
  package func zIndexes(
    of schema: ObjectSchema, in range: RowIDRange
  ) throws(SQLiteError) -> (last: Int64, highWater: Int64) {
    let statement = try connection.cachedStatement(
      """
      SELECT ifnull((SELECT max("z_index") FROM \(schema.tableName.quoted) WHERE "z_index" <= ?), 0),
        "high_water" FROM "magic_catalogue" WHERE "table_name" = ?
      """)
    defer { statement.reset() }
    try statement.bind(range.last, at: 1)
    try statement.bind(schema.tableName, at: 2)
    guard try statement.step() else { return (0, 0) }
    return (statement.column(0).integer, statement.column(1).integer)
  }

  /// Returns the highest primary value that was ever assigned or is in the table.
  package func highestPrimary(
    of schema: ObjectSchema, column: ColumnSchema
  ) throws(SQLiteError) -> Int64 {
    let statement = try connection.cachedStatement(
      """
      SELECT max(ifnull((SELECT max(\(column.name.quoted)) FROM \(schema.tableName.quoted)), 0),
        "primary_high_water") FROM "magic_catalogue" WHERE "table_name" = ?
      """)
    defer { statement.reset() }
    try statement.bind(schema.tableName, at: 1)
    return try statement.step() ? statement.column(0).integer : 0
  }

  /// - Parameter value: a value that was incremented from ``highestPrimary(of:column:)`` in the
  ///   same transaction, so that it is never lower than the stored one.
  package func setHighestPrimary(_ value: Int64, of schema: ObjectSchema) throws(SQLiteError) {
    let statement = try connection.cachedStatement(
      "UPDATE \"magic_catalogue\" SET \"primary_high_water\" = ? WHERE \"table_name\" = ?")
    try statement.bind(value, at: 1)
    try statement.bind(schema.tableName, at: 2)
    try statement.run()
  }
}

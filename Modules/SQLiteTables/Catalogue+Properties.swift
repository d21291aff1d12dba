package import MagicSQLite
package import MagicSchema
import Magical

/// The properties of the types, with their Swift types and the forms of their values.
extension Catalogue {
  static let columns = "magic_columns"

  static let createColumns = """
    CREATE TABLE "magic_columns" (
      "table_name" TEXT NOT NULL,
      "property" TEXT NOT NULL,
      "column_name" TEXT,
      "swift_type" TEXT NOT NULL,
      "form" TEXT NOT NULL,
      "details" TEXT,
      PRIMARY KEY ("table_name", "property")
    ) WITHOUT ROWID
    """

  /// Returns the properties of a type, in the order of their names; an empty array if the file does
  /// not describe them.
  package func properties(of table: String) throws(SQLiteError) -> [StoredProperty] {
    guard try format() >= Format.describingColumns else { return [] }
    let statement = try connection.cachedStatement(
      """
      SELECT "property", "column_name", "swift_type", "form", "details" FROM "magic_columns"
      WHERE "table_name" = ? ORDER BY "property"
      """)
    defer { statement.reset() }
    try statement.bind(table, at: 1)
    var properties: [StoredProperty] = []
    while try statement.step() {
      properties.append(
        StoredProperty(
          property: statement.column(0).text, column: statement.column(1).textOrNil,
          swiftType: statement.column(2).text, formText: statement.column(3).text,
          detailsText: statement.column(4).textOrNil))
    }
    return properties
  }

  /// Describes the properties of a type whose table is current, if the description in the file
  /// differs. Called inside a write transaction.
  package func updateProperties(of schema: ObjectSchema) throws {
    guard try format() >= Format.describingColumns else { return }
    guard try propertiesFingerprint(of: schema.tableName) != schema.propertiesFingerprint
    else { return }
    try enter(StoredProperty.all(of: schema), of: schema.tableName)
  }

  /// Whether the table of a type has its schema, and values of its properties' forms.
  package func isCurrent(_ schema: ObjectSchema) throws -> Bool {
    guard try entry(for: schema.tableName)?.fingerprint == schema.fingerprint else { return false }
    // The fingerprint contains storage classes. Only these have several forms that can be confused.
    guard schema.columns.contains(where: { $0.storageClass == .blob || $0.storageClass == .real }),
      try format() >= Format.describingColumns,
      try propertiesFingerprint(of: schema.tableName) != schema.propertiesFingerprint
    else { return true }
    let stored = try properties(of: schema.tableName)
    return !schema.columns.contains { column in
      guard let form = StoredProperty.form(of: column),
        let before = stored.first(where: { $0.column?.isName(column.name) ?? false })?.form?.value
      else { return false }
      return form.misreads(before)
    }
  }

  /// Returns the hash of the properties that was stored with them; nil for an unknown table.
  package func propertiesFingerprint(of table: String) throws(SQLiteError) -> String? {
    let statement = try connection.cachedStatement(
      "SELECT \"columns_fingerprint\" FROM \"magic_catalogue\" WHERE \"table_name\" = ?")
    defer { statement.reset() }
    try statement.bind(table, at: 1)
    return try statement.step() ? statement.column(0).text : nil
  }

  /// Deletes the description of a type's properties. The next write of an object of the type
  /// describes them again.
  package func deleteProperties(of table: String) throws(SQLiteError) {
    for sql in [
      "DELETE FROM \"magic_columns\" WHERE \"table_name\" = ?",
      "UPDATE \"magic_catalogue\" SET \"columns_fingerprint\" = '' WHERE \"table_name\" = ?",
    ] {
      let statement = try connection.cachedStatement(sql)
      try statement.bind(table, at: 1)
      try statement.run()
    }
  }

  /// Returns the names of the tables that have described properties.
  package func describedTables() throws(SQLiteError) -> [String] {
    guard try format() >= Format.describingColumns else { return [] }
    return try connection.textColumn("SELECT DISTINCT \"table_name\" FROM \"magic_columns\"")
  }

  /// Deletes descriptions of tables that no type has. Their names may be no texts.
  package func deleteUnknownProperties() throws(SQLiteError) {
    try connection.execute(
      """
      DELETE FROM "magic_columns" WHERE "table_name" NOT IN \
      (SELECT "table_name" FROM "magic_catalogue")
      """)
  }

  /// Replaces the description of a type's properties.
  package func enter(_ properties: [StoredProperty], of table: String) throws {
    try deleteProperties(of: table)
    let insert = try connection.cachedStatement(
      "INSERT INTO \"magic_columns\" VALUES (?, ?, ?, ?, ?, ?)")
    for property in properties {
      try insert.bind(table, at: 1)
      try insert.bind(property.property, at: 2)
      try insert.bind(optional: property.column, at: 3)
      try insert.bind(property.swiftType, at: 4)
      try insert.bind(property.formText, at: 5)
      try insert.bind(optional: property.detailsText, at: 6)
      try insert.run()
    }
    let update = try connection.cachedStatement(
      "UPDATE \"magic_catalogue\" SET \"columns_fingerprint\" = ? WHERE \"table_name\" = ?")
    try update.bind(StoredProperty.fingerprint(of: properties), at: 1)
    try update.bind(table, at: 2)
    try update.run()
  }
}

extension Catalogue {
  /// Returns the columns of a table with their declared types; "" if there is none.
  package func columnTypes(of table: String) throws(SQLiteError) -> [(name: String, type: String)] {
    let statement = try connection.prepare("PRAGMA table_info(\(table.quoted))")
    defer { statement.reset() }
    var columns: [(String, String)] = []
    while try statement.step() {
      columns.append((statement.column(1).text, statement.column(2).text))
    }
    return columns
  }
}

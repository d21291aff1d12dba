package import MagicSQLite
import MagicSchema

/// The formats of a file. A file has the format of the library that created it, until a table
/// changes or the program migrates: then it gets the current format.
package enum Format {
  /// The format that this version of the library writes.
  package static let current: Int64 = 3
  /// The first format that has the number of the last migration step of each type.
  static let numberingSteps: Int64 = 2
  /// The first format that describes columns, and has the number of a shared store.
  static let describingColumns: Int64 = 3
}

extension Catalogue {
  /// Returns the format of the file; 0 before the first save.
  package func format() throws(SQLiteError) -> Int64 {
    guard try exists("magic_format") else { return 0 }
    return try connection.integer("SELECT max(\"version\") FROM \"magic_format\"") ?? 0
  }

  /// - Throws: `MagicError` with `.newerFormat`, before anything is written.
  package func checkFormat() throws {
    let version = try format()
    guard version <= Format.current else {
      throw MagicError(
        .newerFormat,
        "The file has format \(version), but this version of the library supports formats up to "
          + "\(Format.current). Update the library.")
    }
  }

  /// Returns the random text that identifies the database; nil before the first save.
  package func databaseIdentifier() throws(SQLiteError) -> String? {
    guard try exists("magic_format") else { return nil }
    return try connection.text("SELECT min(\"database_id\") FROM \"magic_format\"")
  }

  /// Returns the row IDs that the file gives to new rows. The catalogue must exist.
  package func rowIDRange() throws(SQLiteError) -> RowIDRange {
    // All columns, because a file of an earlier format has no store number.
    let statement = try connection.cachedStatement("SELECT * FROM \"magic_format\"")
    defer { statement.reset() }
    guard try statement.step(), statement.columnCount > 2 else { return .unshared }
    return RowIDRange(storeNumber: statement.column(2).integer)
  }

  /// Creates the catalogue if it does not exist, and changes a file of an earlier format to the
  /// current one. Called inside a write transaction.
  package func create() throws(SQLiteError) {
    if try !exists("magic_relationships") { try connection.execute(Self.createRelationships) }
    guard try !exists("magic_catalogue") else { return try updateFormat() }
    try connection.execute(
      [
        Self.createFormat,
        """
        INSERT INTO "magic_format" ("version", "database_id") \
        VALUES (\(Format.current), lower(hex(randomblob(16))))
        """, Self.createTypes,
      ].joined(separator: ";\n"))
    if try !exists(Self.columns) { try connection.execute(Self.createColumns) }
  }

  /// Changes the library's tables to the current format.
  private func updateFormat() throws(SQLiteError) {
    let format = try format()
    guard format < Format.current else { return }
    var statements: [String] = []
    if format < Format.numberingSteps {
      statements.append(
        "ALTER TABLE \"magic_catalogue\" ADD COLUMN \"version\" INTEGER NOT NULL DEFAULT 0")
    }
    statements += [
      "ALTER TABLE \"magic_catalogue\" ADD COLUMN \"columns_fingerprint\" TEXT NOT NULL DEFAULT ''",
      "ALTER TABLE \"magic_format\" ADD COLUMN \"store_number\" INTEGER NOT NULL DEFAULT 0",
      Self.createColumns, "UPDATE \"magic_format\" SET \"version\" = \(Format.current)",
    ]
    try connection.execute(statements.joined(separator: ";\n"))
  }

  private static let createFormat = """
    CREATE TABLE "magic_format" (
      "version" INTEGER NOT NULL,
      "database_id" TEXT NOT NULL,
      "store_number" INTEGER NOT NULL DEFAULT 0
    )
    """

  private static let createTypes = """
    CREATE TABLE "magic_catalogue" (
      "table_name" TEXT NOT NULL PRIMARY KEY,
      "type_name" TEXT NOT NULL,
      "fingerprint" TEXT NOT NULL,
      "high_water" INTEGER NOT NULL DEFAULT 0,
      "primary_high_water" INTEGER NOT NULL DEFAULT 0,
      "version" INTEGER NOT NULL DEFAULT 0,
      "columns_fingerprint" TEXT NOT NULL DEFAULT ''
    ) WITHOUT ROWID
    """

  private static let createRelationships = """
    CREATE TABLE "magic_relationships" (
      "owner_table" TEXT NOT NULL,
      "property" TEXT NOT NULL,
      "kind" TEXT NOT NULL,
      "target_table" TEXT NOT NULL,
      "on_delete" TEXT NOT NULL,
      "link_table" TEXT,
      PRIMARY KEY ("owner_table", "property")
    ) WITHOUT ROWID
    """
}

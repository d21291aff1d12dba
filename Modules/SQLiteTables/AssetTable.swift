package import MagicFiles
package import MagicSQLite
import MagicSchema

/// The library's table of asset files: for each file, the number of column values that refer to it.
///
/// Triggers maintain the count, so that it is correct for rows that other SQL inserts or deletes
/// too. A file that no row refers to gets the count -1 in the transaction that removed the last
/// reference. The file is then marked for deletion: no row can refer to it any more, and it is
/// deleted after the commit. Its entry is deleted when the deletion of the file is on disk.
package struct AssetTable {
  package static let name = "magic_assets"

  package let connection: SQLiteConnection

  package init(connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Creates the table, and the list of the columns that refer to files. Called inside a write
  /// transaction.
  package func create() throws(SQLiteError) {
    let catalogue = Catalogue(connection: connection)
    if try !catalogue.exists(Self.name) {
      try connection.execute(
        """
        CREATE TABLE "magic_assets" (
          "name" TEXT NOT NULL PRIMARY KEY,
          "uses" INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX "magic_assets(uses)" ON "magic_assets" ("uses") WHERE "uses" <= 0
        """)
    }
    try catalogue.createAssetColumns()
  }

  /// Inserts a new file, which no row refers to yet. Another write of the same commit may have
  /// inserted a streamed file already.
  package func insert(_ name: AssetName) throws(SQLiteError) {
    try run(
      "INSERT INTO \"magic_assets\" (\"name\", \"uses\") VALUES (?, 0) ON CONFLICT DO NOTHING",
      name.text)
  }

  /// Deletes the entry of a file that was inserted.
  package func remove(_ name: AssetName) throws(SQLiteError) {
    try run("DELETE FROM \"magic_assets\" WHERE \"name\" = ? AND \"uses\" = 0", name.text)
  }

  /// Whether rows may refer to a file.
  package func isUsable(_ name: String) throws(SQLiteError) -> Bool {
    try hasRow("SELECT 1 FROM \"magic_assets\" WHERE \"name\" = ? AND \"uses\" >= 0", name)
  }

  /// Whether the table has an entry for a file, with any count.
  package func contains(_ name: AssetName) throws(SQLiteError) -> Bool {
    try hasRow("SELECT 1 FROM \"magic_assets\" WHERE \"name\" = ?", name.text)
  }

  /// Returns those of the files that rows refer to.
  package func used(of names: [AssetName]) throws(SQLiteError) -> Set<AssetName> {
    var used: Set<AssetName> = []
    for name in names
    where try hasRow(
      "SELECT 1 FROM \"magic_assets\" WHERE \"name\" = ? AND \"uses\" > 0", name.text)
    {
      used.insert(name)
    }
    return used
  }

  /// Marks the files that no row refers to for deletion. Called inside a write transaction.
  ///
  /// - Returns: the files that were marked by this call.
  package func markUnreferencedFiles() throws(SQLiteError) -> [AssetName] {
    // SQLite uses the partial index only for a query that repeats the index's condition.
    let unused = try names(
      "SELECT \"name\" FROM \"magic_assets\" WHERE \"uses\" <= 0 AND \"uses\" = 0")
    guard !unused.isEmpty else { return [] }
    try connection.cachedStatement(
      "UPDATE \"magic_assets\" SET \"uses\" = -1 WHERE \"uses\" <= 0 AND \"uses\" = 0"
    ).run()
    return unused
  }

  /// Returns the files that no row refers to, including those that are marked for deletion.
  package func unused() throws(SQLiteError) -> [AssetName] {
    try names("SELECT \"name\" FROM \"magic_assets\" WHERE \"uses\" <= 0")
  }

  /// Corrects the count of a file. Called inside a write transaction.
  package func setCount(of name: AssetName, to count: Int64) throws(SQLiteError) {
    let statement = try connection.cachedStatement(
      """
      INSERT INTO "magic_assets" ("name", "uses") VALUES (?, ?) \
      ON CONFLICT ("name") DO UPDATE SET "uses" = excluded."uses"
      """)
    try statement.bind(name.text, at: 1)
    try statement.bind(count, at: 2)
    try statement.run()
  }

  /// Whether a file is marked for deletion.
  package func isMarkedForDeletion(_ name: AssetName) throws(SQLiteError) -> Bool {
    try hasRow("SELECT 1 FROM \"magic_assets\" WHERE \"name\" = ? AND \"uses\" < 0", name.text)
  }

  /// Deletes the entries of files that were deleted. Called inside a write transaction.
  package func forget(_ names: [AssetName]) throws(SQLiteError) {
    for name in names {
      try run("DELETE FROM \"magic_assets\" WHERE \"name\" = ? AND \"uses\" < 0", name.text)
    }
  }

  private func names(_ sql: String) throws(SQLiteError) -> [AssetName] {
    let statement = try connection.cachedStatement(sql)
    defer { statement.reset() }
    var names: [AssetName] = []
    while try statement.step() {
      // The library has not inserted names of another format.
      if let name = AssetName(statement.column(0).text) { names.append(name) }
    }
    return names
  }

  private func hasRow(_ sql: String, _ name: String) throws(SQLiteError) -> Bool {
    let statement = try connection.cachedStatement(sql)
    defer { statement.reset() }
    try statement.bind(name, at: 1)
    return try statement.step()
  }

  private func run(_ sql: String, _ name: String) throws(SQLiteError) {
    let statement = try connection.cachedStatement(sql)
    try statement.bind(name, at: 1)
    try statement.run()
  }
}

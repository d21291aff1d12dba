package import MagicFiles
package import MagicSQLite
import MagicSchema

/// The library's table of files: how many columns of rows name each.
///
/// Triggers keep the count, so that it is right whatever writes or deletes rows. A file that no row
/// names is condemned, -1, in the transaction in which that came about: no row can name it from then
/// on, and it is removed after the commit. Its row goes when its removal is on the disk.
package struct AssetTable {
  package static let name = "magic_assets"

  package let connection: SQLiteConnection

  package init(connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Makes the table, and the list of columns that name files; inside a transaction that writes.
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

  /// Enters a new file, which no row names yet. One that was streamed may have been entered by
  /// another write of the same commit.
  package func announce(_ name: AssetName) throws(SQLiteError) {
    try run(
      "INSERT INTO \"magic_assets\" (\"name\", \"uses\") VALUES (?, 0) ON CONFLICT DO NOTHING",
      name.text)
  }

  /// Takes back that a file was entered.
  package func withdraw(_ name: AssetName) throws(SQLiteError) {
    try run("DELETE FROM \"magic_assets\" WHERE \"name\" = ? AND \"uses\" = 0", name.text)
  }

  /// Whether rows may name a file.
  package func isAlive(_ name: String) throws(SQLiteError) -> Bool {
    try isThere("SELECT 1 FROM \"magic_assets\" WHERE \"name\" = ? AND \"uses\" >= 0", name)
  }

  /// Whether the table knows of a file, however many rows name it.
  package func isKnown(_ name: AssetName) throws(SQLiteError) -> Bool {
    try isThere("SELECT 1 FROM \"magic_assets\" WHERE \"name\" = ?", name.text)
  }

  /// Of some files, those that rows name.
  package func used(of names: [AssetName]) throws(SQLiteError) -> Set<AssetName> {
    var used: Set<AssetName> = []
    for name in names
    where try isThere(
      "SELECT 1 FROM \"magic_assets\" WHERE \"name\" = ? AND \"uses\" > 0", name.text)
    {
      used.insert(name)
    }
    return used
  }

  /// Condemns the files that no row names; inside a transaction that writes.
  ///
  /// - Returns: those that were condemned now.
  package func markUnreferencedFiles() throws(SQLiteError) -> [AssetName] {
    // The partial index serves a query that repeats its condition.
    let unused = try names(
      "SELECT \"name\" FROM \"magic_assets\" WHERE \"uses\" <= 0 AND \"uses\" = 0")
    guard !unused.isEmpty else { return [] }
    try connection.cachedStatement(
      "UPDATE \"magic_assets\" SET \"uses\" = -1 WHERE \"uses\" <= 0 AND \"uses\" = 0"
    ).run()
    return unused
  }

  /// The files that are condemned, or are to be.
  package func unused() throws(SQLiteError) -> [AssetName] {
    try names("SELECT \"name\" FROM \"magic_assets\" WHERE \"uses\" <= 0")
  }

  /// Corrects the count of a file; inside a transaction that writes.
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

  /// Whether a file is condemned.
  package func isCondemned(_ name: AssetName) throws(SQLiteError) -> Bool {
    try isThere("SELECT 1 FROM \"magic_assets\" WHERE \"name\" = ? AND \"uses\" < 0", name.text)
  }

  /// Files are gone for good; inside a transaction that writes.
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
      // Of another form are none that the library has entered.
      if let name = AssetName(statement.column(0).text) { names.append(name) }
    }
    return names
  }

  private func isThere(_ sql: String, _ name: String) throws(SQLiteError) -> Bool {
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

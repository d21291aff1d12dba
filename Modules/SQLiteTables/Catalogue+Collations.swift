import Foundation
import MagicRuntime
package import MagicSQLite
import MagicSchema

/// The orders of localized collations.
///
/// The order of a language can change with the version of the system. The indexes in a file have the
/// order of the system that wrote them, and a search in them by another order misses rows. So the file
/// records for each of these collations a hash of its order.
extension Catalogue {
  static let collations = "magic_collations"

  private static let createCollations = """
    CREATE TABLE "magic_collations" (
      "name" TEXT NOT NULL PRIMARY KEY,
      "order_hash" TEXT NOT NULL
    ) WITHOUT ROWID
    """

  /// Records the orders of the localized collations that the schema of the file contains, if they are
  /// not recorded yet, and deletes those that it does not contain. Called inside a write transaction.
  ///
  /// Before an order is recorded, the indexes with the collation are built again, which is free for new
  /// tables: a development version, which records no order, can have written others in another system.
  package func enterCollations() throws(SQLiteError) {
    let names = try usedCollations()
    if try !exists(Self.collations) {
      guard !names.isEmpty else { return }
      try connection.execute(Self.createCollations)
    }
    let list = names.map(\.literal).joined(separator: ", ")
    try connection.execute("DELETE FROM \"magic_collations\" WHERE \"name\" NOT IN (\(list))")
    let insert = try connection.cachedStatement("INSERT INTO \"magic_collations\" VALUES (?, ?)")
    for name in names where try recordedHash(of: name) == nil {
      try buildIndexes(withCollation: name)
      try insert.bind(name, at: 1)
      try insert.bind(Self.orderHash(of: name), at: 2)
      try insert.run()
    }
  }

  /// Returns the names of the collations in the schema of the file whose recorded order is not the one
  /// of this system.
  package func changedCollations() throws(SQLiteError) -> [String] {
    guard try exists(Self.collations) else { return [] }
    var changed: [String] = []
    for name in try usedCollations() {
      guard let recorded = try recordedHash(of: name) else { continue }
      if Self.orderHash(of: name) != recorded { changed.append(name) }
    }
    return changed
  }

  /// Builds all indexes with a collation again, in the order of this system, and records the order.
  /// Called inside a write transaction.
  ///
  /// - Throws: `SQLiteError` with `.constraint` if rows of a unique index are equal.
  package func rebuildIndexes(withCollation name: String) throws(SQLiteError) {
    try buildIndexes(withCollation: name)
    let update = try connection.cachedStatement(
      "UPDATE \"magic_collations\" SET \"order_hash\" = ? WHERE \"name\" = ?")
    try update.bind(Self.orderHash(of: name), at: 1)
    try update.bind(name, at: 2)
    try update.run()
  }

  private func buildIndexes(withCollation name: String) throws(SQLiteError) {
    // SQLite refuses REINDEX for a name that only a view or a trigger contains.
    let indexes = try connection.textColumn(
      """
      SELECT i."name" FROM sqlite_master AS m, pragma_index_list(m."name") AS i,
        pragma_index_xinfo(i."name") AS x
      WHERE m."type" = 'table' AND x."coll" = \(name.literal) COLLATE NOCASE LIMIT 1
      """)
    if !indexes.isEmpty { try connection.execute("REINDEX \(name.quoted)") }
  }

  private func recordedHash(of name: String) throws(SQLiteError) -> String? {
    let statement = try connection.cachedStatement(
      "SELECT \"order_hash\" FROM \"magic_collations\" WHERE \"name\" = ?")
    defer { statement.reset() }
    try statement.bind(name, at: 1)
    return try statement.step() ? statement.column(0).text : nil
  }

  /// Returns the names of the localized collations in the schema of the file.
  private func usedCollations() throws(SQLiteError) -> [String] {
    let prefix = Self.localizedPrefix
    let definitions = try connection.textColumn(
      "SELECT \"sql\" FROM sqlite_master WHERE instr(\"sql\", \(prefix.literal))")
    var names: Set<String> = []
    for definition in definitions {
      for part in definition.components(separatedBy: prefix).dropFirst() {
        let locale = String(part.prefix { TextCollator.isIdentifier(String($0)) })
        if TextCollator.isIdentifier(locale) { names.insert(prefix + locale) }
      }
    }
    return names.sorted()
  }

  private static let localizedPrefix = SQLiteConnection.localizedCollation("")

  /// Returns the hash of the order of a localized collation.
  private static func orderHash(of name: String) -> String {
    let collator = TextCollator.of(String(name.dropFirst(localizedPrefix.count)))
    return ObjectSchema.fingerprint(of: collator.orderedSample)
  }
}

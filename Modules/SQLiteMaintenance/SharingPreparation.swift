package import MagicEngine
import MagicSQLite
import MagicSchema
package import SQLiteEngine
import SQLiteTables

/// Gives a file a store number, in one transaction, so that its new rows have other row IDs than
/// the rows of any copy of the file.
///
/// The rows of a file that was not shared before get row IDs of the store's own range too: all row
/// IDs, and all references to them, increase by the same number.
package struct SharingPreparation {
  private let transaction: WriteTransaction
  private let catalogue: Catalogue

  /// - Parameters:
  ///   - transaction: a transaction without other writes.
  ///   - isCopy: whether a file that has a store number gets another one.
  package static func run(
    in transaction: WriteTransaction, isCopy: Bool, _ cancellation: CancellationToken
  ) throws {
    let connection = transaction.store.connection
    try connection.withCancellationCheck({ cancellation.isCancelled }) {
      try SharingPreparation(
        transaction: transaction, catalogue: Catalogue(connection: connection)
      ).run(isCopy: isCopy)
    }
  }

  private var connection: SQLiteConnection { catalogue.connection }

  private func run(isCopy: Bool) throws {
    try catalogue.create()
    let current = try catalogue.rowIDRange()
    guard !current.isShared || isCopy else { return }
    let range = RowIDRange(storeNumber: newNumber(except: current.storeNumber))
    if current.isShared {
      // The rows keep their row IDs. The store has created none in its new range.
      try connection.execute("UPDATE \"magic_catalogue\" SET \"high_water\" = 0")
    } else {
      try moveRows(to: range)
    }
    try connection.execute(
      "UPDATE \"magic_format\" SET \"store_number\" = \(range.storeNumber)")
    transaction.store.rowIDs.removeAll()
  }

  private func newNumber(except current: Int64) -> Int64 {
    while true {
      let number = Int64.random(in: 1...RowIDRange.highestNumber)
      if number != current { return number }
    }
  }

  // MARK: Row IDs

  /// Moves all rows of a file that was not shared before to a range.
  private func moveRows(to range: RowIDRange) throws {
    let tables = try catalogue.typeTables()
    for table in tables { try checkRowIDs(of: table) }
    let relationships = try catalogue.relationships()
    let links = try relationships.compactMap(\.linkTable).filter { try catalogue.exists($0) }
    try transaction.willAlter(tables: tables)
    let references = try userReferences(to: tables, except: tables + links)
    // No foreign key and no trigger may see a state in which only some rows are moved.
    try connection.replacingTables {
      try connection.withoutTriggers {
        for table in tables {
          let toOnes = relationships.filter { $0.isToOne && $0.owner.isName(table) }
          let owned = relationships.compactMap(\.ownedColumns).filter { $0.table.isName(table) }
          let columns = [TableSQL.zIndex] + toOnes.map(\.column) + owned.map(\.owner)
          try add(range.base, to: columns, of: table)
        }
        for link in links { try add(range.base, to: ["owner", "target"], of: link) }
        for (table, column) in references { try add(range.base, to: [column], of: table) }
      }
    }
    try connection.execute(
      """
      UPDATE "magic_catalogue" SET "high_water" = "high_water" + \(range.base) \
      WHERE "high_water" > 0
      """)
    for statement in tables.flatMap(TableSQL.replaceHighWaterTrigger) {
      try connection.execute(statement)
    }
    try transaction.didAlter(tables: tables)
  }

  private func add(_ base: Int64, to columns: [String], of table: String) throws {
    let assignments = columns.map { "\($0.quoted) = \($0.quoted) + \(base)" }
    try connection.execute(
      "UPDATE \(table.quoted) SET \(assignments.joined(separator: ", "))")
  }

  /// - Throws: `MagicError` with `.idsExhausted` if a row would not fit into the range.
  private func checkRowIDs(of table: String) throws {
    let other = try connection.integer(
      """
      SELECT "z_index" FROM \(table.quoted) \
      WHERE "z_index" < 1 OR "z_index" >= \(1 << RowIDRange.counterBits) LIMIT 1
      """)
    guard let other else { return }
    throw MagicError(
      .idsExhausted,
      "Table \(table) has the row ID \(other), but only row IDs from 1 to "
        + "\(1 << RowIDRange.counterBits - 1) can be shared. Remove the row, or insert it again.")
  }

  /// Returns the foreign keys of tables that the library did not create.
  private func userReferences(
    to tables: [String], except known: [String]
  ) throws -> [(table: String, column: String)] {
    let statement = try connection.prepare(
      """
      SELECT m."name", k."from", k."table" FROM sqlite_master AS m, \
      pragma_foreign_key_list(m."name") AS k \
      WHERE m."type" = 'table' AND (k."to" IS NULL OR k."to" = 'z_index' COLLATE NOCASE)
      """)
    defer { statement.reset() }
    var references: [(String, String)] = []
    while try statement.step() {
      let (table, column) = (statement.column(0).text, statement.column(1).text)
      let target = statement.column(2).text
      guard !known.contains(where: { $0.isName(table) }),
        tables.contains(where: { $0.isName(target) })
      else { continue }
      references.append((table, column))
    }
    return references
  }
}

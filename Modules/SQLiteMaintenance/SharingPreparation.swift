package import MagicEngine
import MagicSQLite
import MagicSchema
package import SQLiteEngine
import SQLiteSearch
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
    try transaction.willAlter(tables: tables)
    let references = try RowReferences(to: tables, catalogue)
    // No foreign key and no trigger may see a state in which only some rows are moved.
    try connection.replacingTables {
      try connection.withoutTriggers {
        for table in tables {
          try add(range.base, to: [TableSQL.zIndex] + references.columns(of: table), of: table)
        }
        for (table, columns) in references.all
        where !tables.contains(where: { $0.isName(table) }) {
          try add(range.base, to: columns, of: table)
        }
      }
    }
    try connection.execute(
      """
      UPDATE "magic_catalogue" SET "high_water" = CASE WHEN "high_water" BETWEEN 1 AND \
      \(RowIDRange.counterLimit - 1) THEN "high_water" + \(range.base) ELSE 0 END
      """)
    for statement in tables.flatMap(TableSQL.replaceHighWaterTrigger) {
      try connection.execute(statement)
    }
    // The search indexes contain the former row IDs.
    try transaction.store.searchIndexes.recreateAll()
    try transaction.didAlter(tables: tables)
  }

  private func add(_ base: Int64, to columns: [String], of table: String) throws {
    let assignments = columns.map { "\($0.quoted) = \($0.quoted) + \(base)" }
    try connection.execute(
      "UPDATE \(table.quoted) SET \(assignments.joined(separator: ", "))")
  }

  /// - Throws: `MagicError` with `.idsExhausted` if a row would not fit into the range.
  private func checkRowIDs(of table: String) throws {
    let rowID = try connection.integer(
      """
      SELECT "z_index" FROM \(table.quoted) \
      WHERE "z_index" < 1 OR "z_index" >= \(RowIDRange.counterLimit) LIMIT 1
      """)
    guard let rowID else { return }
    throw MagicError(
      .idsExhausted,
      "Table \(table) has the row ID \(rowID), but only row IDs from 1 to "
        + "\(RowIDRange.counterLimit - 1) can be shared. Remove the row.")
  }
}

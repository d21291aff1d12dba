package import MagicSQLite
import MagicSchema
package import SQLiteTables

/// Comparison of search indexes with the rows.
extension SearchIndexes {
  /// A fault of a search index.
  package enum Fault {
    /// The index does not have the texts of the row.
    case wrongRow(Int64)
    case missingTrigger(String)
    /// The index cannot be read.
    case damage(SQLiteError)
    /// This SQLite lacks full-text search or the tokenizer, so that the index was not checked.
    case unsupported(SQLiteError)
  }

  /// Finds the faults of an index. Creates temporary tables, inside a transaction that the caller rolls
  /// back, or in a savepoint.
  ///
  /// - Parameter body: called with each fault; returns whether to continue.
  /// - Returns: false if an error of a damaged index can have ended the transaction, so that nothing
  ///   else can be checked in it.
  package func forEachFault(
    of table: SearchTable, _ body: (Fault) throws -> Bool
  ) throws -> Bool {
    for suffix in SearchTable.triggerSuffixes {
      let name = table.table + suffix
      let count = try connection.integer(
        "SELECT count(*) FROM sqlite_master WHERE \"type\" = 'trigger' AND \"name\" = "
          + name.literal)
      if count == 0, try !body(.missingTrigger(name)) { return true }
    }
    do {
      try forEachWrongRow(of: table) { try body(.wrongRow($0)) }
      return true
    } catch let error as SQLiteError where error.lacksSearch {
      dropCopies()
      _ = try body(.unsupported(error))
      return true
    } catch let error as SQLiteError
      where error.canBeDamage || error.code == .error || error.code == .constraint
    {
      dropCopies()
      _ = try body(.damage(error))
      return false
    }
  }

  /// Compares the words and sizes of the index with those of a temporary index, made of the rows. Rows
  /// in the log are indexed with the texts in the log. New rows in the log are left out: if the index
  /// has them, its update corrects that.
  private func forEachWrongRow(of table: SearchTable, _ body: (Int64) throws -> Bool) throws {
    try defineFunctions()
    dropCopies()
    for statement in table.copy(named: Self.copy) { try connection.execute(statement) }
    for (vocabulary, schema, name) in [
      (Self.words, "main", table.name), (Self.copiedWords, "temp", Self.copy),
    ] {
      try connection.execute(
        "CREATE VIRTUAL TABLE temp.\(vocabulary.quoted) "
          + "USING fts5vocab(\(schema), \(name.literal), 'instance')")
    }
    let statement = try connection.prepare(Self.differences(of: table))
    while try statement.step() {
      guard try body(statement.column(0).integer) else { break }
    }
    statement.reset()
    dropCopies()
  }

  private func dropCopies() {
    for name in [Self.words, Self.copiedWords, Self.copy] {
      try? connection.execute("DROP TABLE IF EXISTS temp.\(name.quoted)")
    }
  }

  private static let copy = "magic_search_copy"
  private static let words = "magic_search_words"
  private static let copiedWords = "magic_search_copied_words"

  private static func differences(of table: SearchTable) -> String {
    func difference(_ first: String, _ second: String) -> String {
      let columns = "\"doc\", \"term\", \"col\", \"offset\""
      return "SELECT \"doc\" FROM (SELECT \(columns) FROM temp.\(first.quoted) EXCEPT "
        + "SELECT \(columns) FROM temp.\(second.quoted))"
    }
    func difference(ofSizes first: String, _ second: String) -> String {
      "SELECT \"id\" FROM (SELECT \"id\", \"sz\" FROM \(first) EXCEPT "
        + "SELECT \"id\", \"sz\" FROM \(second))"
    }
    let (sizes, copiedSizes) = (
      SearchTable.sizes("main", table.name), SearchTable.sizes("temp", copy)
    )
    return "SELECT \"doc\" FROM (\(difference(words, copiedWords)) UNION "
      + "\(difference(copiedWords, words)) UNION \(difference(ofSizes: sizes, copiedSizes)) UNION "
      + "\(difference(ofSizes: copiedSizes, sizes))) WHERE \"doc\" NOT IN (\(table.newRows)) ORDER BY 1"
  }

  /// Creates all indexes again, after rows were moved without triggers.
  package func recreateAll() throws {
    for table in try tables() { try repair(table) }
  }

  /// Corrects a fault: creates the index again.
  package func repair(_ table: SearchTable) throws {
    try connection.savepoint { try recreate(table) }
  }
}

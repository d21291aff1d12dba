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
    // The default is 2 MB, which the segments of a larger index would not fit in.
    try connection.execute("PRAGMA temp.cache_size = -32768")
    for statement in table.copy(named: Self.copy) { try connection.execute(statement) }
    for (vocabulary, schema, name) in [
      (Self.words, "main", table.name), (Self.copiedWords, "temp", Self.copy),
    ] {
      try connection.execute(
        "CREATE VIRTUAL TABLE temp.\(vocabulary.quoted) "
          + "USING fts5vocab(\(schema), \(name.literal), 'instance')")
    }
    var wrong = try rowsWithOtherWords()
    try insertRows(of: Self.otherSizes(of: table), into: &wrong)
    var new: Set<Int64> = []
    try insertRows(of: table.newRows, into: &new)
    for row in wrong.subtracting(new).sorted() {
      guard try body(row) else { break }
    }
    dropCopies()
  }

  private func insertRows(of sql: String, into rows: inout Set<Int64>) throws {
    let statement = try connection.prepare(sql)
    defer { statement.reset() }
    while try statement.step() { rows.insert(statement.column(0).integer) }
  }

  /// Returns the rows of which one of the two lists of words has a place that the other one lacks. Both are
  /// ordered by the words, the rows and the places, so that they are read once, side by side.
  private func rowsWithOtherWords() throws -> Set<Int64> {
    func list(_ name: String) throws -> SQLiteStatement {
      try connection.prepare(
        "SELECT \"term\", \"doc\", \"col\", \"offset\" FROM temp.\(name.quoted)")
    }
    let (words, copied) = (try list(Self.words), try list(Self.copiedWords))
    defer {
      words.reset()
      copied.reset()
    }
    var rows: Set<Int64> = []
    var (hasWord, hasCopy) = (try words.step(), try copied.step())
    while hasWord || hasCopy {
      let order =
        hasWord && hasCopy ? WordPlace(words).compare(WordPlace(copied)) : hasWord ? -1 : 1
      if order < 0 { rows.insert(words.column(1).integer) }
      if order > 0 { rows.insert(copied.column(1).integer) }
      if order <= 0 { hasWord = try words.step() }
      if order >= 0 { hasCopy = try copied.step() }
    }
    return rows
  }

  /// A place of a word, in the current row of a statement.
  private struct WordPlace {
    let word: UnsafeRawBufferPointer
    let row: Int64
    let column: UnsafeRawBufferPointer
    let offset: Int64

    init(_ statement: SQLiteStatement) {
      word = statement.column(0).textBytes
      row = statement.column(1).integer
      column = statement.column(2).textBytes
      offset = statement.column(3).integer
    }

    /// Returns a negative number if the place is before another one, and a positive one if it is behind it.
    func compare(_ other: WordPlace) -> Int {
      let words = Self.compare(word, other.word)
      guard words == 0 else { return words }
      guard row == other.row else { return row < other.row ? -1 : 1 }
      // The name of a column is a letter and its number.
      let columns = column.count - other.column.count
      guard columns == 0 else { return columns }
      let names = Self.compare(column, other.column)
      guard names == 0 else { return names }
      return offset == other.offset ? 0 : offset < other.offset ? -1 : 1
    }

    private static func compare(
      _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Int {
      for index in 0..<min(left.count, right.count) where left[index] != right[index] {
        return left[index] < right[index] ? -1 : 1
      }
      return left.count - right.count
    }
  }

  private func dropCopies() {
    for name in [Self.words, Self.copiedWords, Self.copy] {
      try? connection.execute("DROP TABLE IF EXISTS temp.\(name.quoted)")
    }
  }

  private static let copy = "magic_search_copy"
  private static let words = "magic_search_words"
  private static let copiedWords = "magic_search_copied_words"

  /// The rows whose numbers of words differ.
  private static func otherSizes(of table: SearchTable) -> String {
    func difference(_ first: String, _ second: String) -> String {
      "SELECT a.\"id\" FROM \(first) AS a LEFT JOIN \(second) AS b ON b.\"id\" = a.\"id\" "
        + "WHERE b.\"sz\" IS NOT a.\"sz\""
    }
    let sizes = SearchTable.sizes("main", table.name)
    let copied = SearchTable.sizes("temp", copy)
    return "\(difference(sizes, copied)) UNION ALL \(difference(copied, sizes))"
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

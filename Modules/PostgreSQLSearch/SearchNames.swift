import MagicSchema

/// The tables of the search index of a type.
///
/// Their names contain a hash, because PostgreSQL shortens names of more than 63 bytes.
package struct SearchNames: Sendable {
  /// The name of the type's table.
  let table: String

  package init(table: String) { self.table = table }

  /// The table of the words: for each word of a row its places, which are the index of the column
  /// times 2³² plus the number of words before it in the text of the column.
  package var words: String { "magic_words_" + ObjectSchema.fingerprint(of: table) }

  /// The table of the rows, with the numbers of their words.
  package var rows: String { "magic_texts_" + ObjectSchema.fingerprint(of: table) }

  /// The table whose sums are the number of rows, and the number of their words. Each write of entries
  /// adds a row with the differences, so that concurrent writes do not wait for each other.
  package var totals: String { "magic_totals_" + ObjectSchema.fingerprint(of: table) }

  /// The index that finds the words of a row.
  var wordsOfRows: String { words + "_row" }

  /// The triggers that note changed rows.
  var changeTriggers: [String] {
    ["in", "change", "all"].map { "magic_search_\($0)_" + ObjectSchema.fingerprint(of: table) }
  }

  /// The table of all indexes, with their definitions.
  package static let indexes = "magic_search_indexes"
  /// The table of the rows that other programs have changed since the index was updated.
  package static let log = "magic_search_log"
  /// The temporary table of the rows that the transaction of a session has changed. Unlike a table that
  /// sessions share, it causes no conflicts between transactions at the level SERIALIZABLE.
  package static let ownLog = "magic_search_own"
}

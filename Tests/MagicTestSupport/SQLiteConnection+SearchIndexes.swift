import CMagicSQLite
package import MagicSQLite

extension SQLiteConnection {
  /// A part of the data of a full-text table.
  package enum SearchIndexPart: Sendable, CaseIterable {
    /// The words.
    case words
    /// The record that lists the other parts: it has too many.
    case structure
    /// The same record: it has a size for which there is no memory.
    case size
  }

  /// Overwrites a part of the search index of a type's table, as a defect of the disk does.
  package func damageSearchIndex(ofTable table: String, _ part: SearchIndexPart = .words) throws {
    var value: Int32 = 0
    magic_sqlite3_db_config_flag(handle.pointer, SQLITE_DBCONFIG_DEFENSIVE, 0, &value)
    let bytes = part == .structure ? "00000000FFFFFFFF7F" : "00112233445566778899AABBCCDDEEFF"
    try execute(
      "UPDATE \"magic_search(\(table))_data\" SET \"block\" = x'\(bytes)' "
        + "WHERE \"id\" \(part == .words ? ">" : "=") 10")
    magic_sqlite3_db_config_flag(handle.pointer, SQLITE_DBCONFIG_DEFENSIVE, 1, &value)
  }
}

import CMagicSQLite
package import MagicSQLite

extension SQLiteConnection {
  /// A part of the data of a full-text table.
  package enum SearchIndexPart {
    /// The record that lists the other parts.
    case structure
    /// The words.
    case words
  }

  /// Overwrites a part of the search index of a type's table, as a defect of the disk does.
  package func damageSearchIndex(ofTable table: String, _ part: SearchIndexPart = .words) throws {
    var value: Int32 = 0
    magic_sqlite3_db_config_flag(handle.pointer, SQLITE_DBCONFIG_DEFENSIVE, 0, &value)
    try execute(
      "UPDATE \"magic_search(\(table))_data\" SET \"block\" = x'00112233445566778899AABBCCDDEEFF' "
        + "WHERE \"id\" \(part == .structure ? "=" : ">") 10")
    magic_sqlite3_db_config_flag(handle.pointer, SQLITE_DBCONFIG_DEFENSIVE, 1, &value)
  }
}

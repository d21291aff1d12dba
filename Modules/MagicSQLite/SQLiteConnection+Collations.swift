import CMagicSQLite

extension SQLiteConnection {
  /// The collation in which all texts are equal. A recursive query with `UNION` gives it to a column
  /// that does not decide whether two rows are equal.
  ///
  /// A schema must not use it, because other programs do not have it.
  package static let equalCollation = "magic_equal"

  func defineCollations() throws(SQLiteError) {
    let code = sqlite3_create_collation_v2(
      try pointer(), Self.equalCollation, SQLITE_UTF8, nil, { _, _, _, _, _ in 0 }, nil)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle.pointer, resultCode: code) }
  }
}

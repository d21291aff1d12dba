import CMagicSQLite
import MagicRuntime

extension SQLiteConnection {
  /// The collation in which all texts are equal. A recursive query with `UNION` gives it to a column
  /// that does not decide whether two rows are equal.
  ///
  /// A schema must not use it, because other programs do not have it.
  package static let equalCollation = "magic_equal"

  private static let localizedPrefix = "magic_localized_"

  /// Returns the name of the collation of a locale. Every connection has it. Other programs do not:
  /// they cannot use the columns and indexes of a schema that contains it.
  package static func localizedCollation(_ locale: String) -> String { localizedPrefix + locale }

  /// Returns the name of the collation of a column of a table; nil if there is no such column.
  package func collation(of column: String, in table: String) throws(SQLiteError) -> String? {
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      try pointer(), "main", table, column, nil, &name, nil, nil, nil)
    guard code == SQLITE_OK else { return nil }
    return name.map { String(cString: $0) }
  }

  func defineCollations() throws(SQLiteError) {
    let database = try pointer()
    var code = sqlite3_create_collation_v2(
      database, Self.equalCollation, SQLITE_UTF8, nil, { _, _, _, _, _ in 0 }, nil)
    if code == SQLITE_OK {
      // SQLite asks for a collation when a statement first uses it.
      code = sqlite3_collation_needed(database, nil) { _, database, _, name in
        guard let database, let name else { return }
        SQLiteConnection.defineLocalized(String(cString: name), on: database)
      }
    }
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle.pointer, resultCode: code) }
  }

  /// Defines the collation of a locale. A name that is none remains unknown to SQLite, whose error
  /// names it.
  private static func defineLocalized(_ name: String, on database: OpaquePointer) {
    // SQLite ignores the case of names.
    guard name.lowercased().hasPrefix(localizedPrefix) else { return }
    let locale = String(name.dropFirst(localizedPrefix.count))
    guard TextCollator.isIdentifier(locale) else { return }
    let collator = Unmanaged.passRetained(TextCollator.of(locale))
    let code = sqlite3_create_collation_v2(
      database, name, SQLITE_UTF8, collator.toOpaque(),
      { collator, leftCount, left, rightCount, right in
        guard let collator else { return 0 }
        let order = Unmanaged<TextCollator>.fromOpaque(collator)._withUnsafeGuaranteedRef {
          $0.compare(
            UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
            UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
        }
        return Int32(truncatingIfNeeded: order)
      }, { collator in collator.map { Unmanaged<TextCollator>.fromOpaque($0).release() } })
    // SQLite does not call the destructor if it refuses the collation.
    if code != SQLITE_OK { collator.release() }
  }
}

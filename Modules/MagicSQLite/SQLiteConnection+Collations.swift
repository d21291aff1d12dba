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

  /// Leaves collations of locales undefined from now on, because the indexes in the file have another
  /// order. SQLite then refuses exactly the statements that need such a collation, with an error for
  /// which ``SQLiteError/lacksLocalizedCollation`` is true. Called before statements are compiled.
  ///
  /// - Parameter names: the names of the collations. The connection has those of all other locales.
  package func withholdLocalizedCollations(_ names: [String]) {
    // SQLite ignores the case of names.
    handle.withheldCollations = Set(names.map { $0.lowercased() })
  }

  /// Whether an index of the file may have another order than the collation of this connection. Set
  /// before statements are compiled.
  package var mayHaveOutdatedIndexes: Bool {
    get { handle.mayHaveOutdatedIndexes }
    set { handle.mayHaveOutdatedIndexes = newValue }
  }

  func defineCollations() throws(SQLiteError) {
    let database = try pointer()
    var code = sqlite3_create_collation_v2(
      database, Self.equalCollation, SQLITE_UTF8, nil, { _, _, _, _, _ in 0 }, nil)
    if code == SQLITE_OK {
      // Defines the collation of a locale when a statement first uses it.
      code = sqlite3_collation_needed(database, Unmanaged.passUnretained(handle).toOpaque()) {
        context, database, _, name in
        guard let context, let database, let name else { return }
        let collation = String(cString: name)
        let handle = Unmanaged<ConnectionHandle>.fromOpaque(context).takeUnretainedValue()
        guard !handle.withheldCollations.contains(collation.lowercased()) else { return }
        SQLiteConnection.defineLocalized(collation, on: database)
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

extension SQLiteError {
  /// Whether a statement needs the collation of a locale, and the connection does not have it.
  package var lacksLocalizedCollation: Bool {
    code == .error
      && message.hasPrefix("no such collation sequence: \(SQLiteConnection.localizedCollation(""))")
  }
}

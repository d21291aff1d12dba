import MagicPostgreSQL
import PostgreSQLTables

/// The foreign keys of the schema, which the server checks at the end of a transaction.
extension EngineSession {
  private static let selectForeignKeys = """
    SELECT string_agg(DISTINCT \
    quote_ident(n.nspname::text) || '.' || quote_ident(c.conname::text), ', ') \
    FROM pg_constraint AS c JOIN pg_namespace AS n ON n.oid = c.connamespace \
    WHERE c.contype = 'f' AND c.condeferrable AND c.connamespace = \
    (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('magic_format'))
    """

  /// Returns the names of the foreign keys as a list of SQL; nil if there are none.
  private func foreignKeys() throws(PostgreSQLError) -> String? {
    if let known = knownForeignKeys { return known.isEmpty ? nil : known }
    let result = try connection.execute(Self.selectForeignKeys)
    let names = result.isNull(0, 0) ? "" : result.text(0, 0)
    knownForeignKeys = names
    return names.isEmpty ? nil : names
  }

  /// Returns the SQL that checks the foreign keys now, or at the end of the transaction; nil if there
  /// are none.
  ///
  /// The SQL names them: `ALL` would also run the trigger that deletes unused assets, and a later
  /// statement of the transaction may use an asset again.
  func sql(checkingForeignKeys time: CheckTime) throws(PostgreSQLError) -> String? {
    guard let names = try foreignKeys() else { return nil }
    switch time {
    case .now: return "SET CONSTRAINTS \(names) IMMEDIATE; SET CONSTRAINTS \(names) DEFERRED"
    case .always: return "SET CONSTRAINTS \(names) IMMEDIATE"
    case .atEnd: return "SET CONSTRAINTS \(names) DEFERRED"
    }
  }

  /// Checks the foreign keys at another time, also those that the transaction has created.
  package func checkForeignKeys(_ time: CheckTime) throws {
    knownForeignKeys = nil
    try translatingErrors {
      guard let change = try sql(checkingForeignKeys: time) else { return }
      _ = try connection.execute(change)
    }
  }

  /// When foreign keys are checked.
  package enum CheckTime {
    /// Once, and then at the end of the transaction.
    case now
    /// At the end of each statement.
    case always
    case atEnd
  }
}

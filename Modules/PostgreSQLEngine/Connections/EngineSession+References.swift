import MagicEngine
import MagicPostgreSQL
import MagicSchema
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

  /// Checks the foreign keys of a migration at another time, also those that it has created.
  ///
  /// - Throws: `MagicError` with `.brokenReference` if one is violated.
  package func checkForeignKeys(_ time: CheckTime) throws {
    knownForeignKeys = nil
    do {
      guard let change = try sql(checkingForeignKeys: time) else { return }
      _ = try connection.execute(change)
    } catch  where error.sqlState == "23503" {
      throw MagicError.brokenReferences(error, error.table.flatMap { context.owners.type(of: $0) })
    } catch {
      throw MagicError(error)
    }
  }

  /// Returns the error for a commit that has failed. If it has violated a foreign key, the error names
  /// the type and the property of the row that refers to a missing one, also of a type that this process
  /// does not use. The transaction was rolled back.
  func error(ofCommit error: PostgreSQLError) -> MagicError {
    guard let table = error.table else { return MagicError(error) }
    if let schema = context.owners.type(of: table) { return schema.error(error) }
    let general = MagicError(error)
    guard general.code == .stillReferenced, let constraint = error.constraint else {
      return general
    }
    fields.removeAll()
    fields.append(text: table)
    guard let result = try? connection.run(Self.selectReferences, fields) else { return general }
    for row in 0..<result.count {
      var property = result.text(row, 1)
      let isInRow = result.integer(row, 2) != 0
      guard !isInRow || TableDefinition.foreignKey(property, of: table) == constraint else {
        continue
      }
      let owner = context.owners.type(of: result.text(row, 3))
      if let owner, !isInRow {
        property =
          owner.collections.first { $0.joinTable(of: owner) == table }?.property ?? property
      }
      return MagicError(
        general.code, general.message, type: result.text(row, 0), property: property, cause: error)
    }
    return general
  }

  /// The relationships in a table, which is a join table or the table of a type.
  private static let selectReferences = PostgreSQLStatement(
    """
    SELECT coalesce(t.type_name, r.owner), r.property, r.join_table IS NULL, r.owner \
    FROM magic_relationships AS r LEFT JOIN magic_types AS t ON t.table_name = r.owner \
    WHERE r.join_table = $1 OR r.join_table IS NULL AND r.owner = $1
    """, [.text])

  /// When foreign keys are checked.
  package enum CheckTime {
    /// Once, and then at the end of the transaction.
    case now
    /// At the end of each statement.
    case always
    case atEnd
  }
}

import CSQLite

/// A column that a statement reads.
package struct SQLiteRead: Hashable, Sendable {
  package let table: String
  /// Empty where the statement counts rows and looks into none.
  package let column: String
}

extension SQLiteConnection {
  /// What a statement reads: views, without a column, and what is in them. Names of the statement's own, as those of a WITH
  /// clause, may be among the tables.
  ///
  /// - Throws: ``SQLiteError`` where the SQL makes no sense.
  package func reads(of sql: String) throws(SQLiteError) -> Set<SQLiteRead> {
    if !handle.hasGuard { handle.installGuard() }
    // A function that yields a table declares it when it is first met, which looks like a read of the
    // schema.
    let first = try prepare(sql)
    handle.reads = []
    defer { handle.reads = nil }
    try withExtendedLifetime(first) { () throws(SQLiteError) in _ = try prepare(sql) }
    return handle.reads ?? []
  }
}

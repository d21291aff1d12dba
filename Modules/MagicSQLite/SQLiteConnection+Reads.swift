import CSQLite

/// A column that a statement reads.
package struct SQLiteRead: Hashable, Sendable {
  package let table: String
  /// Empty where the statement counts rows and looks into none.
  package let column: String
}

extension SQLiteConnection {
  /// What a statement reads, views looked through. Names of the statement's own, as those of a WITH
  /// clause, may be among the tables.
  ///
  /// - Throws: ``SQLiteError`` where the SQL makes no sense.
  package func reads(of sql: String) throws(SQLiteError) -> Set<SQLiteRead> {
    if !handle.hasGuard { handle.installGuard() }
    handle.reads = []
    defer { handle.reads = nil }
    _ = try prepare(sql)
    return handle.reads ?? []
  }
}

import MagicEngine
public import MagicStore

/// A statement of raw SQL, bound to a database, snapshot or transaction. Each call of one of its
/// methods runs the statement.
///
/// ```swift
/// let eldest = try await magic.sql("SELECT z_index FROM Person ORDER BY age DESC LIMIT 3")
///   .objects(of: Person.self)
/// ```
///
/// The SQL must be one statement that does not end transactions, change settings or write to the
/// library's own tables. Otherwise the call throws `.invalidQuery` and has no effect. The same
/// applies to SQL that the database cannot compile. The `cause` of that error contains the message
/// of the database.
public struct MagicStatement<Source> {
  package let source: Source
  let sql: MagicSQL
}

extension MagicStatement: Sendable where Source: Sendable {}

extension MagicStatement: CustomStringConvertible {
  /// The SQL, with `?` for each value.
  public var description: String { sql.statement.text }
}

extension AsyncMagicDatabaseReader {
  /// Returns a statement of raw SQL. Its interpolated values are bound.
  public func sql(_ sql: MagicSQL) -> MagicStatement<Self> {
    MagicStatement(source: self, sql: sql)
  }
}

extension MagicDatabaseReader {
  /// Returns a statement of raw SQL. Its interpolated values are bound.
  public func sql(_ sql: MagicSQL) -> MagicStatement<Self> {
    MagicStatement(source: self, sql: sql)
  }
}

extension MagicTransaction {
  /// Returns a statement of raw SQL that sees what the transaction has written. Its interpolated
  /// values are bound.
  public func sql(_ sql: MagicSQL) -> MagicStatement<_MagicTransactionContext> { context.sql(sql) }
}

extension MagicTransactionSession {
  /// Returns a statement of raw SQL that sees what the session has flushed. Its interpolated values
  /// are bound.
  public func sql(_ sql: MagicSQL) -> MagicStatement<_MagicTransactionContext> { context.sql(sql) }
}

extension MagicSnapshot {
  /// Returns a statement of raw SQL. Its interpolated values are bound.
  public func sql(_ sql: MagicSQL) -> MagicStatement<_MagicSnapshotContext> { context.sql(sql) }
}

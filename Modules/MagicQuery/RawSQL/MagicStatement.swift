import MagicEngine
public import MagicStore

/// A statement of raw SQL and the database, snapshot or transaction it is for. It runs with each
/// call of one of its methods.
///
/// It is one statement, and does not end transactions, change settings or write to the library's own
/// tables; else `.invalidQuery` is thrown, and nothing was done. So it is where the engine does not
/// understand it; the error's cause has the engine's words.
public struct MagicStatement<Source> {
  package let source: Source
  let sql: MagicSQL
}

extension MagicStatement: Sendable where Source: Sendable {}

extension MagicStatement: CustomStringConvertible {
  /// The SQL, with `?` in the place of each value.
  public var description: String { sql.statement.text }
}

extension AsyncMagicDatabaseReader {
  /// A statement of raw SQL, whose interpolated values are bound to it.
  public func sql(_ sql: MagicSQL) -> MagicStatement<Self> {
    MagicStatement(source: self, sql: sql)
  }
}

extension MagicDatabaseReader {
  /// A statement of raw SQL, whose interpolated values are bound to it.
  public func sql(_ sql: MagicSQL) -> MagicStatement<Self> {
    MagicStatement(source: self, sql: sql)
  }
}

extension MagicTransaction {
  /// A statement of raw SQL, whose interpolated values are bound to it. It sees what the transaction
  /// has written.
  public func sql(_ sql: MagicSQL) -> MagicStatement<_MagicTransactionContext> { context.sql(sql) }
}

extension MagicSnapshot {
  /// A statement of raw SQL, whose interpolated values are bound to it.
  public func sql(_ sql: MagicSQL) -> MagicStatement<_MagicSnapshotContext> { context.sql(sql) }
}

import MagicSchema
public import MagicStore

// A method of the query. If it were an overload of `query(_:)` of the database, the compiler would
// report each mistake in a query as a mistake in the argument of `query(_:)`.
extension MagicQuery where Source == MagicUnbound {
  /// Returns the query bound to a database.
  public func bound<Database: AsyncMagicDatabaseReader>(
    to database: Database
  ) -> MagicQuery<Model, Database> {
    MagicQuery<Model, Database>(plan: plan, loading: loading, source: database)
  }

  /// Returns the query bound to a database.
  public func bound<Database: MagicDatabaseReader>(
    to database: Database
  ) -> MagicQuery<Model, Database> {
    MagicQuery<Model, Database>(plan: plan, loading: loading, source: database)
  }

  /// Returns the query bound to a transaction. It sees what the transaction has written.
  public func bound(
    to transaction: borrowing MagicTransaction
  ) -> MagicQuery<Model, _MagicTransactionContext> {
    MagicQuery<Model, _MagicTransactionContext>(
      plan: plan, loading: loading, source: transaction.context)
  }

  /// Returns the query bound to a snapshot.
  public func bound(
    to snapshot: borrowing MagicSnapshot
  ) -> MagicQuery<Model, _MagicSnapshotContext> {
    MagicQuery<Model, _MagicSnapshotContext>(
      plan: plan, loading: loading, source: snapshot.context)
  }
}

extension MagicQuery {
  /// The same query without its source, for a request that runs it on a reader.
  package var unbound: MagicQuery<Model, MagicUnbound> {
    MagicQuery<Model, MagicUnbound>(plan: plan, loading: loading, source: MagicUnbound())
  }
}

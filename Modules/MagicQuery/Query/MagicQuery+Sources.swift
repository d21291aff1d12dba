import MagicEngine
public import MagicSchema
public import MagicStore

extension AsyncMagicDatabaseReader {
  /// A query for the objects of a type.
  public func query<Model: MagicObject>(_ type: Model.Type) -> MagicQuery<Model, Self> {
    MagicQuery(plan: QueryDescription(), source: self)
  }

  /// A query that was made without a database, for this one.
  public func query<Model: MagicObject>(
    _ stored: MagicQuery<Model, MagicUnbound>
  ) -> MagicQuery<Model, Self> {
    MagicQuery(plan: stored.plan, source: self)
  }
}

extension MagicDatabaseReader {
  /// A query for the objects of a type.
  public func query<Model: MagicObject>(_ type: Model.Type) -> MagicQuery<Model, Self> {
    MagicQuery(plan: QueryDescription(), source: self)
  }

  /// A query that was made without a database, for this one.
  public func query<Model: MagicObject>(
    _ stored: MagicQuery<Model, MagicUnbound>
  ) -> MagicQuery<Model, Self> {
    MagicQuery(plan: stored.plan, source: self)
  }
}

extension MagicTransaction {
  /// A query that sees what the transaction has written.
  public func query<Model: MagicObject>(_ type: Model.Type) -> MagicQuery<
    Model, _MagicTransactionContext
  > {
    MagicQuery(plan: QueryDescription(), source: context)
  }

  /// A query that was made without a database, in this transaction.
  public func query<Model: MagicObject>(
    _ stored: MagicQuery<Model, MagicUnbound>
  ) -> MagicQuery<Model, _MagicTransactionContext> {
    MagicQuery(plan: stored.plan, source: context)
  }
}

extension MagicSnapshot {
  /// A query on the snapshot.
  public func query<Model: MagicObject>(_ type: Model.Type) -> MagicQuery<
    Model, _MagicSnapshotContext
  > {
    MagicQuery(plan: QueryDescription(), source: context)
  }

  /// A query that was made without a database, on the snapshot.
  public func query<Model: MagicObject>(
    _ stored: MagicQuery<Model, MagicUnbound>
  ) -> MagicQuery<Model, _MagicSnapshotContext> {
    MagicQuery(plan: stored.plan, source: context)
  }
}

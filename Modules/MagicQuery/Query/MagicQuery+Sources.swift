import MagicEngine
public import MagicSchema
public import MagicStore

extension AsyncMagicDatabaseReader {
  /// Returns a query for the objects of a type.
  public func query<Model: MagicObject>(_ type: Model.Type) -> MagicQuery<Model, Self> {
    MagicQuery(plan: QueryDescription(), source: self)
  }
}

extension MagicDatabaseReader {
  /// Returns a query for the objects of a type.
  public func query<Model: MagicObject>(_ type: Model.Type) -> MagicQuery<Model, Self> {
    MagicQuery(plan: QueryDescription(), source: self)
  }
}

extension MagicTransaction {
  /// Returns a query for the objects of a type that sees what the transaction has written.
  public func query<Model: MagicObject>(_ type: Model.Type) -> MagicQuery<
    Model, _MagicTransactionContext
  > {
    MagicQuery(plan: QueryDescription(), source: context)
  }
}

extension MagicTransactionSession {
  /// Returns a query for the objects of a type that sees what the session has flushed.
  public func query<Model: MagicObject>(_ type: Model.Type) -> MagicQuery<
    Model, _MagicTransactionContext
  > {
    MagicQuery(plan: QueryDescription(), source: context)
  }
}

extension MagicSnapshot {
  /// Returns a query for the objects of a type in the snapshot.
  public func query<Model: MagicObject>(_ type: Model.Type) -> MagicQuery<
    Model, _MagicSnapshotContext
  > {
    MagicQuery(plan: QueryDescription(), source: context)
  }
}

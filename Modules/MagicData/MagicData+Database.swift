public import MagicStore

extension MagicData: AsyncDatabase {
  /// The open database.
  public nonisolated var _store: StoreAccess { StoreAccess(store) }
}

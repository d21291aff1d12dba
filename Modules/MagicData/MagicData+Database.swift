public import MagicStore

extension MagicData: AsyncMagicDatabase {
  /// The open database.
  public nonisolated var _store: _MagicStoreAccess { _MagicStoreAccess(store) }
}

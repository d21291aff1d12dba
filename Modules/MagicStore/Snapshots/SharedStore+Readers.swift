import MagicSQLite

extension SharedStore {
  /// The connections that read, in use or not.
  package var readerCount: Int { readers?.count ?? 0 }
}

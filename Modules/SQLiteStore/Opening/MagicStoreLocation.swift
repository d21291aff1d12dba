/// Where a database lies.
public enum MagicStoreLocation: Sendable, Equatable {
  /// A file; an existing directory stands for `default.sqlite3` in it.
  case file(String)
  /// A file in a private directory, which goes when the store is closed.
  case temporary
  /// Memory.
  case memory
}

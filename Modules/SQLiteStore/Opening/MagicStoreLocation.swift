/// The location of a database.
public enum MagicStoreLocation: Sendable, Equatable {
  /// A file. An existing directory means `default.sqlite3` in it.
  case file(String)
  /// A file in a private directory, which is deleted when the store is closed.
  case temporary
  /// Memory.
  case memory
}

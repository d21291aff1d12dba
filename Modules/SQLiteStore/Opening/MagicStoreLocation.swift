/// The location of a database.
///
/// ```swift
/// let store = try MagicObjectStore.open(.file(path))
/// try store.update(Person(name: "Ada"))
/// let people = try store.object(of: Person.self)
/// store.close()
/// ```
public enum MagicStoreLocation: Sendable, Equatable {
  /// A file at a path. If a directory exists at the path, the file is `default.sqlite3` in it.
  case file(String)
  /// A file in a private directory. The directory is deleted when the database is closed.
  case temporary
  /// Memory. The database is deleted when it is closed.
  case memory
}

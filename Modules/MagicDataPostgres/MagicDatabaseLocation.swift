/// Where a database is: a file of SQLite, or tables on a server of PostgreSQL.
public enum MagicDatabaseLocation: Sendable {
  /// A database file, at a path.
  case file(String)
  /// The tables in a schema of a server. The first value is a connection string of libpq, or a URI.
  /// Without a schema, the server chooses one, as for `PostgresOptions.schema`.
  case postgres(String, schema: String? = nil)
}

public import MagicData
import PostgreSQLTransfer

extension MagicDatabaseLocation {
  /// The tables in a schema of a server.
  ///
  /// - Parameters:
  ///   - connection: a connection string of libpq, or a URI.
  ///   - schema: the schema of the tables. Without one, the server chooses it, as for
  ///     `PostgresOptions.schema`.
  public static func postgres(
    _ connection: String, schema: String? = nil
  ) -> MagicDatabaseLocation {
    MagicDatabaseLocation {
      try PostgresOptions.check(schema: schema)
    } source: {
      try PostgreSQLSource(connection, schema: schema)
    } target: {
      try PostgreSQLTarget(connection, schema: schema)
    }
  }
}

import MagicEngine
package import MagicPostgreSQL
import MagicRuntime
import MagicSchema
import PostgreSQLTables

/// Connections, and the check of the database when it is opened.
extension PostgreSQLDatabase {
  static func connect(
    _ settings: PostgreSQLSettings, _ context: EngineContext? = nil
  ) throws -> PostgreSQLConnection {
    try translatingErrors {
      let connection = try PostgreSQLConnection(settings.information, trace: settings.trace)
      try checkVersion(of: connection)
      connection.commitMilliseconds = settings.commitMilliseconds
      if let schema = context?.schema ?? settings.schema {
        try connection.execute("SET search_path TO \(schema.quoted)")
      }
      if settings.isReadOnly { try connection.execute("SET default_transaction_read_only TO on") }
      return connection
    }
  }

  /// - Throws: `MagicError` with `.cannotOpen`; the connection is then closed.
  package static func checkVersion(of connection: PostgreSQLConnection) throws {
    guard connection.serverVersion < 150_000 else { return }
    connection.close()
    throw MagicError(
      .cannotOpen, "The database server is older than PostgreSQL 15. Update the server.")
  }

  /// Checks the form of the database, and creates the schema and the catalogue if they are missing.
  ///
  /// - Returns: what the connections share.
  static func prepare(_ settings: PostgreSQLSettings) throws -> EngineContext {
    try translatingErrors {
      let connection = try connect(settings)
      defer { connection.close() }
      if try !Catalogue.exists(on: connection) {
        let former = try connection.run(Catalogue.selectSchema)
        let schema = former.count == 1 ? former.text(0, 0) : nil
        if schema == nil { try checkUsage(on: connection) }
        if settings.isReadOnly {
          guard schema != nil else {
            try checkSchema(settings.schema, on: connection)
            return EngineContext(settings, schema: nil, name: nil)
          }
          throw MagicError(
            .cannotOpen,
            "An earlier version of MagicData has created the tables. "
              + "Open the database once for writing.")
        }
        try create(on: connection, in: schema, settings)
      }
      let found = try connection.run(Catalogue.selectFormat)
      guard found.count == 1 else {
        throw MagicError(
          .cannotOpen,
          "The table magic_format does not have exactly one row with the version of the database. "
            + "Restore it from a backup.")
      }
      guard found.integer(0, 0) <= Int64(Catalogue.format) else {
        throw MagicError(
          .newerFormat, "A newer version of MagicData has created the tables of the database.")
      }
      // All connections use the schema of the catalogue, also if a schema with the same tables is
      // later created before it in the search path.
      let schema = try connection.run(Catalogue.selectSchema)
      if !settings.isReadOnly, (try? connection.execute(CommitToken.removeOld)) == nil {
        // A standby server accepts no writes.
        connection.rollBack()
      }
      guard schema.count == 1 else { return EngineContext(settings, schema: nil, name: nil) }
      let name = schema.text(0, 0)
      if !settings.isReadOnly {
        try createFunctions(on: connection, in: name)
        try updateSearchPaths(on: connection, in: name)
      }
      return EngineContext(
        settings, schema: name,
        name: DatabaseTokens.Name(
          information: settings.information, database: schema.integer(0, 1),
          table: schema.integer(0, 2)))
    }
  }

  /// - Throws: `MagicError` with `.cannotOpen` if the schema does not exist.
  private static func checkSchema(_ name: String?, on connection: PostgreSQLConnection) throws {
    guard let name else { return }
    let found = try connection.execute(
      "SELECT FROM pg_namespace WHERE nspname = \(name.literal)")
    guard found.count == 0 else { return }
    throw MagicError(
      .cannotOpen,
      "The database has no schema of this name, and a connection that only reads does not create it."
    )
  }

  /// The server reads a schema that the role may not use as if it did not exist.
  ///
  /// - Throws: `MagicError` with `.cannotOpen` if a schema of the search path contains a catalogue, and the
  ///   role may not use the schema.
  private static func checkUsage(on connection: PostgreSQLConnection) throws {
    let found = try connection.execute(
      """
      SELECT n.nspname::text FROM unnest(string_to_array(current_setting('search_path'), ',')) AS p \
      JOIN pg_namespace AS n ON n.nspname = replace(trim(both ' "' from p), '$user', current_user) \
      WHERE NOT has_schema_privilege(n.oid, 'USAGE') AND EXISTS (SELECT FROM pg_class AS c \
      WHERE c.relnamespace = n.oid AND c.relname = 'magic_format')
      """)
    guard found.count > 0 else { return }
    let name = found.text(0, 0)
    throw MagicError(
      .cannotOpen,
      "The role has no right to use the schema \(name), which contains the tables. "
        + "Grant it USAGE on the schema.")
  }

  /// Creates the tables of the catalogue that are missing.
  ///
  /// - Parameter former: the schema with the catalogue of an earlier version, which gets the others.
  private static func create(
    on connection: PostgreSQLConnection, in former: String?, _ settings: PostgreSQLSettings
  ) throws {
    try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    do {
      // Without the lock, two processes could create the same schema.
      try connection.execute(lock(catalogueIn: former ?? settings.schema))
      if let schema = settings.schema {
        try connection.execute("CREATE SCHEMA IF NOT EXISTS \(schema.quoted)")
      }
      if let former { try connection.execute("SET LOCAL search_path TO \(former.quoted)") }
      guard try !connection.execute("SELECT current_schema()").isNull(0, 0) else {
        throw MagicError(
          .cannotOpen,
          "No schema of the user's search_path exists. Create one, or set the option `schema`.")
      }
      for sql in Catalogue.create { try connection.execute(sql) }
      try connection.commit()
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Returns the SQL that waits for the lock of a schema's catalogue. Databases in other schemas have
  /// other locks.
  ///
  /// - Parameter schema: nil for the first schema of the search path.
  package static func lock(catalogueIn schema: String?) -> String {
    "SELECT pg_advisory_xact_lock(hashtextextended('magic ' || "
      + "\(schema?.literal ?? "coalesce(current_schema()::text, '')"), 0))"
  }

  /// Returns the SQL that waits for a lock, which the end of the transaction releases.
  static func lock(_ name: String) -> String {
    "SELECT pg_advisory_xact_lock(hashtextextended(\(name.literal), 0))"
  }
}

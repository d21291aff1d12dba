import MagicEngine
package import MagicPostgreSQL
import MagicRuntime
import MagicSchema
import PostgreSQLTables

/// Connections, and the check of the database when it is opened.
extension PostgreSQLDatabase {
  static func connect(
    _ settings: PostgreSQLSettings, _ context: EngineContext
  ) throws -> PostgreSQLConnection {
    try translatingErrors {
      let connection = try PostgreSQLConnection(settings.information, trace: settings.trace)
      try checkVersion(of: connection)
      if let schema = context.schema.withLock({ $0 }) ?? settings.schema {
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
  func prepare() throws {
    try translatingErrors {
      let connection = try Self.connect(settings, context)
      defer { connection.close() }
      if try !Catalogue.exists(on: connection) {
        let former = try connection.run(Catalogue.selectSchema)
        let schema = former.count == 1 ? former.text(0, 0) : nil
        if isReadOnly {
          guard schema != nil else { return }
          throw MagicError(
            .cannotOpen,
            "An earlier version of MagicData has created the tables. "
              + "Open the database once for writing.")
        }
        try create(on: connection, in: schema)
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
      if !isReadOnly, (try? connection.execute(CommitToken.removeOld)) == nil {
        // A standby server accepts no writes.
        connection.rollBack()
      }
      if schema.count == 1 { context.schema.withLock { $0 = schema.text(0, 0) } }
      if !isReadOnly { try createFunctions(on: connection) }
    }
  }

  /// Creates the tables of the catalogue that are missing.
  ///
  /// - Parameter former: the schema with the catalogue of an earlier version, which gets the others.
  private func create(on connection: PostgreSQLConnection, in former: String?) throws {
    try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    do {
      // Without the lock, two processes could create the same schema.
      try connection.execute(Self.lock(catalogueIn: former ?? settings.schema))
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

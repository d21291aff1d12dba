public import MagicData
import MagicPostgreSQL
public import MagicStore
import PostgreSQLChanges
import PostgreSQLEngine
import PostgreSQLMigration
import MagicRuntime

extension MagicData {
  /// Opens a database on a server of PostgreSQL, version 15 or later. The tables are created when
  /// their types are first saved.
  ///
  /// ```swift
  /// let magic = try await MagicData(postgres: connection)
  /// ```
  ///
  /// Several processes, on several machines, may use one database at the same time. The client library
  /// of PostgreSQL, libpq, is loaded by this call, and must be installed.
  ///
  /// - Parameter postgres: a connection string of libpq, or a URI. With several hosts, add
  ///   `target_session_attrs=read-write`.
  /// - Throws: `MagicError` with `.cannotOpen` if libpq is missing or the server cannot be reached,
  ///   `.newerFormat`, `.readOnly` and `.invalidOption`.
  public init(postgres: String, options: PostgresOptions = .init()) async throws {
    let settings = try options.settings(postgres)
    // Connecting blocks a thread.
    self.init(try await ThreadActor().run { try openDatabase(settings) })
  }
}

extension MagicObjectStore {
  /// Opens a database of PostgreSQL, like `MagicData(postgres:options:)`. Blocks until the connection
  /// is open.
  public static func open(
    postgres: String, options: PostgresOptions = .init()
  ) throws -> MagicObjectStore {
    MagicObjectStore(try openDatabase(options.settings(postgres)))
  }
}

/// Opens a database whose commits are published to its observers.
private func openDatabase(_ settings: PostgreSQLSettings) throws -> PostgreSQLDatabase {
  try PostgreSQLDatabase(settings, PostgreSQLMigrator()) { context in
    try ChangePublisher.check(context)
    return ChangePublisher(context)
  }
}

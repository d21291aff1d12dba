import Foundation
import MagicData
import MagicDataPostgres
import MagicStore
import PostgreSQLTestSupport

extension TestedEngine {
  /// The engine of PostgreSQL. Each path is a schema of its own on the server of the process.
  public static let postgres = TestedEngine(
    name: "postgres",
    features: [
      .reopening, .dialect, .queries, .combinations, .assets, .migration, .collations,
    ],
    openMagicData: { location, options in
      let server = try PostgreSQLServer.shared.get()
      return try await MagicData(
        postgres: server.information, options: postgresOptions(location, options))
    },
    openObjectStore: { location, options in
      let server = try PostgreSQLServer.shared.get()
      return try MagicObjectStore.open(
        postgres: server.information, options: postgresOptions(location, options))
    })

  private static func postgresOptions(
    _ location: MagicStoreLocation, _ options: MagicOptions
  ) throws -> PostgresOptions {
    guard !options.readOnly else {
      throw MagicError(.invalidOption, "A new database cannot be read-only.")
    }
    // A test can open the database at a path again, also with later versions of its types. The last
    // 50 bytes of a path contain the name of its temporary directory.
    let name: String
    if case .file(let path) = location {
      name = String(decoding: path.utf8.suffix(50), as: UTF8.self)
    } else {
      name = UUID().uuidString
    }
    var result = PostgresOptions(schema: "test \(name)")
    result.readers = 2
    result.diagnostics = options.diagnostics
    result.trace = options.trace
    return result
  }
}

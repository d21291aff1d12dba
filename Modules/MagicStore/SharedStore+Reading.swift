import MagicSQLite
import SQLiteEngine

extension SharedStore {
  /// The connections that read, in use or not.
  package var readerCount: Int { readers?.count ?? 0 }

  /// Runs a read. Outdated tables are migrated first.
  package func reading<Result: Sendable>(
    _ body: @Sendable (StoreConnection) throws -> Result
  ) async throws -> Result {
    while true {
      do {
        return try await read(body)
      } catch let required as MigrationRequired {
        _ = try await migrating([required.schema])
      }
    }
  }
}

import MagicSQLite

extension SharedStore {
  /// The connections that read, in use or not.
  package var readerCount: Int { readers?.count ?? 0 }

  /// Runs a read. Tables that are of another shape than their types are brought to it first.
  package func reading<Result: Sendable>(
    _ body: @Sendable (StoreConnection) throws -> Result
  ) async throws -> Result {
    while true {
      do {
        return try await read(body)
      } catch let outdated as OutdatedTable {
        _ = try await migrating([outdated.schema])
      }
    }
  }
}

internal import GRDB
public import Workloads

/// Records that read and write themselves by `Codable`, and the query interface: what GRDB's guides
/// begin with.
///
/// https://github.com/groue/GRDB.swift/blob/v7.10.0/README.md#codable-records
public struct GRDBCodable: Engine, RecordEngine {
  /// The name in tables.
  public static let name = "GRDB, Codable records"
  /// The version of GRDB.
  public static let version = Pool.version
  let pool: DatabasePool

  /// Opens a pool with the pragmas of the C twin.
  public static func open(directory: String, durability: Durability) async throws -> GRDBCodable {
    GRDBCodable(pool: try Pool.open(directory: directory, durability: durability))
  }

  /// A job for every work but files and migrations.
  public func job(for work: Work) async throws -> Job? {
    try await recordJob(for: work)
  }

  /// Closes all connections.
  public func close() async { try? pool.close() }
}

package import Foundation
import MagicEngine
package import MagicFiles
import MagicPostgreSQL
import MagicRuntime
import MagicSchema
import PostgreSQLFiles
import PostgreSQLTables

/// The assets in the tables of a database.
///
/// They have connections of their own, so that a transaction that uses all others can read assets.
package final class PostgreSQLAssets: AssetStore {
  package let staging: AssetFolder
  let pool: ResourcePool<PooledConnection>
  private let settings: PostgreSQLSettings
  private let generation: ConnectionGeneration

  init(
    _ staging: AssetFolder, _ pool: ResourcePool<PooledConnection>,
    _ settings: PostgreSQLSettings, _ generation: ConnectionGeneration
  ) {
    self.staging = staging
    self.pool = pool
    self.settings = settings
    self.generation = generation
  }

  /// Removes the folder. Assets that are still being streamed fail.
  func removeStaging() {
    staging.close()
    try? FileManager.default.removeItem(atPath: staging.path)
  }

  package func location(of name: AssetName) -> URL? { nil }

  package func open(_ name: AssetName) throws -> any ReadableFile {
    if let staged = try? staging.open(name) { return staged }
    let result = try run(Self.selectSize, name, .open) { $0.append(text: name.text) }
    guard result.count > 0 else { throw FileError(.open, name.text, code: .notFound) }
    guard result.integer(0, 0) == Int64(name.size) else {
      throw FileError(.open, name.text, code: .wrongSize)
    }
    return StoredAsset(name) { [self] statement, append throws(FileError) in
      try run(statement, name, .read, append)
    }
  }

  private static let selectSize = PostgreSQLStatement(
    "SELECT size FROM magic_assets WHERE name = $1", [.text])

  /// Runs a statement on a connection for assets. The thread waits for one.
  func run(
    _ statement: PostgreSQLStatement, _ name: AssetName, _ operation: FileError.Operation,
    _ append: (PostgreSQLFields) -> Void
  ) throws(FileError) -> PostgreSQLResult {
    var retries = Retries(settings)
    while true {
      // The call is not asynchronous, so that it is not notified of the cancellation of its task.
      let cancellation = StatementCancellation { FileThreads.isCancelled }
      do {
        if FileThreads.isCancelled { throw CancellationError() }
        let place = try pool.takeBlocking()
        defer { give(place) }
        let fields = PostgreSQLFields()
        append(fields)
        return try place.run(cancellation) { try place.connection().run(statement, fields) }
      } catch {
        if error is CancellationError || cancellation.isCancelled {
          throw FileError(operation, name.text, number: ECANCELED)
        }
        guard let delay = delay(after: error, &retries) else {
          throw FileError(operation, name.text, number: EIO)
        }
        if delay > 0 { Thread.sleep(forTimeInterval: Double(delay) / 1e9) }
      }
    }
  }

  /// Returns the time before the next attempt in nanoseconds; nil if there is none.
  private func delay(after error: any Error, _ retries: inout Retries) -> UInt64? {
    // Errors of opening a connection are translated.
    let known = (error as? MagicError)?.cause ?? error
    guard let cause = known as? PostgreSQLError else { return nil }
    if cause.kind == .connectionLost { generation.end() }
    return try? retries.delay(after: MagicError(cause))
  }

  private func give(_ place: PooledConnection) {
    if pool.isClosed { place.close() }
    pool.give(place)
  }
}

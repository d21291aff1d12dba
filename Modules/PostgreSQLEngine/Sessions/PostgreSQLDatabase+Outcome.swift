import Foundation
import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import PostgreSQLTables
import MagicRuntime

/// The outcome of commits whose answer was lost.
extension PostgreSQLDatabase {
  /// Returns whether a transaction was committed. Otherwise it never will be.
  ///
  /// Opens a connection of its own, and repeats that until a server accepts it or the time is over.
  ///
  /// - Throws: `MagicError` if no server answers in time.
  package func isCommitted(_ token: CommitToken) throws -> Bool {
    var retries = Retries(settings)
    while true {
      do {
        return try translatingErrors { try ask(token) }
      } catch let error as MagicError {
        // A standby server may be about to take over.
        let delay =
          error.code == .readOnly
          ? try retries.delay(after: MagicError(PostgreSQLError(.cannotConnect, error.message)))
          : try retries.delay(after: error)
        Thread.sleep(forTimeInterval: Double(delay) / 1e9)
      }
    }
  }

  /// The same as ``isCommitted(_:)``, on a thread of its own.
  package func isCommittedAsynchronously(_ token: CommitToken) async throws -> Bool {
    try await ThreadActor().run { try self.isCommitted(token) }
  }

  private func ask(_ token: CommitToken) throws -> Bool {
    let connection = try Self.connect(settings, context)
    defer { connection.close() }
    // The server of the transaction may not have noticed yet that its client has gone.
    let limit = max(1, settings.reconnectNanoseconds / 1_000_000)
    try connection.execute("SET lock_timeout TO \(limit)")
    return try connection.execute(token.claim).text(0, 0) == "t"
  }

  /// The token of a transaction whose outcome is unknown.
  package static func token(of error: MagicError) -> CommitToken? {
    ((error.cause as? PostgreSQLError)?.commitToken).flatMap(CommitToken.init)
  }
}

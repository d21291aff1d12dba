import Foundation
import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import PostgreSQLSearch
package import PostgreSQLTables
import MagicRuntime

/// The outcome of commits whose answer was lost.
extension PostgreSQLDatabase {
  /// Returns whether a transaction was committed. Otherwise it never will be.
  ///
  /// Opens a connection of its own, and repeats that until a server accepts it or the time is over.
  ///
  /// - Throws: `MagicError` if no server answers in time, with `.uncertain` if it has not ended the
  ///   transaction.
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

  /// - Throws: `PostgreSQLError` with `.uncertain` while the server does not end the transaction.
  private func ask(_ token: CommitToken) throws -> Bool {
    let connection = try Self.connect(settings, context)
    defer { connection.close() }
    // The server of the transaction may not have noticed yet that its client has gone, or it waits for a
    // standby.
    let limit = max(1, settings.reconnectNanoseconds / 1_000_000)
    try connection.execute("SET lock_timeout TO \(limit)")
    do {
      // This commit waits for a standby too, so that the answer is that of a server that takes over.
      let milliseconds = Int(clamping: limit) + Self.claimMilliseconds
      return try connection.execute(token.claim, milliseconds: milliseconds).text(0, 0) == "t"
    } catch {
      guard error.sqlState == "55P03" || error.isOverdue else { throw error }
      var unknown = PostgreSQLError(.uncertain, error.message, sqlState: error.sqlState)
      unknown.commitToken = token.text
      throw unknown
    }
  }

  /// How long the commit of a claim waits for a standby.
  private static let claimMilliseconds = 5_000

  /// The token of a transaction whose outcome is unknown.
  package static func token(of error: MagicError) -> CommitToken? {
    ((error.cause as? PostgreSQLError)?.commitToken).flatMap(CommitToken.init)
  }
}

extension PostgreSQLDatabase {
  /// Does the work that is deferred until a commit: removes from time to time the rows of tokens, except
  /// those of uncertain commits, and the single rows of the totals of search indexes, and describes
  /// properties again.
  func doDeferredWork(after token: CommitToken?, _ session: EngineSession) {
    let tokens = token.map { context.noteAcknowledged($0) } ?? []
    let statements = [
      tokens.isEmpty ? nil : CommitToken.remove(tokens), session.search.sqlAddingUpTotals(),
    ].compactMap(\.self)
    for statement in statements {
      do {
        try session.connection.execute(statement)
      } catch {
        // The rows of tokens are removed after a day, and the totals after the next commits.
        session.connection.rollBack()
      }
    }
    if token != nil { session.describeProperties() }
  }
}

import Foundation

/// The identity of a transaction in the table `magic_commits`, to which the transaction adds a row. It
/// shows whether a commit took place whose answer was lost, also after another server has taken over.
package struct CommitToken: Sendable {
  package let text: String

  package init() { text = UUID().uuidString.lowercased() }

  /// - Returns: nil if the text is not that of a token.
  package init?(_ text: String) {
    guard let token = UUID(uuidString: text) else { return nil }
    self.text = token.uuidString.lowercased()
  }

  /// Adds the row, in the same round trip as the commit.
  package var insert: String { "INSERT INTO magic_commits (token) VALUES ('\(text)')" }

  /// Adds a row of a transaction that was not committed, unless there is a row. Waits for a transaction
  /// that has added its row and has not ended. Afterwards the transaction cannot be committed any more.
  /// Returns whether it was committed.
  package var claim: String {
    "INSERT INTO magic_commits (token, is_committed) VALUES ('\(text)', false) "
      + "ON CONFLICT (token) DO UPDATE SET token = excluded.token RETURNING is_committed"
  }

  /// Removes the rows of tokens. At another level, the deletion could conflict with transactions. The
  /// loss of this commit does no harm.
  package static func remove(_ tokens: [CommitToken]) -> String {
    """
    BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit TO off; \
    DELETE FROM magic_commits WHERE token = ANY \
    ('{\(tokens.map(\.text).joined(separator: ","))}'); COMMIT
    """
  }

  /// Removes the rows of processes that have ended, and of outcomes that are not asked for any more.
  package static let removeOld = """
    BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit TO off; \
    DELETE FROM magic_commits WHERE time < now() - interval '1 day'; COMMIT
    """
}

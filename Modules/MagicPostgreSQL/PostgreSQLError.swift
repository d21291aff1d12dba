/// An error of PostgreSQL or of the connection to it.
///
/// An error contains no values. The server's messages of data errors quote values, so they are
/// replaced.
package struct PostgreSQLError: Error, Equatable, Sendable {
  /// What failed.
  package enum Kind: Sendable {
    /// The client library cannot be loaded.
    case libraryMissing
    /// No connection could be opened.
    case cannotConnect
    /// The connection was lost, and the server has rolled back its transaction.
    case connectionLost
    /// The connection was lost during a commit, or no standby has confirmed it. The transaction may
    /// have been committed.
    case uncertain
    /// The server refused a statement, with an SQLSTATE.
    case refused
    /// A deferred statement has another result than assumed.
    case unexpected
    /// A call is not allowed, for example on a closed connection.
    case misuse
    /// The call was cancelled. An open transaction can only be rolled back.
    case cancelled
  }

  package let kind: Kind
  /// The SQLSTATE, five characters; "" for an error that the server did not report.
  package let sqlState: String
  package let message: String
  /// The names that the server reports: of the table, the column and the constraint.
  package var table: String?
  package var column: String?
  package var constraint: String?
  /// The row ID to which a violated foreign key refers.
  package var referencedRow: Int64?
  /// The SQL of the statement, with its parameters.
  package var sql: String?
  /// The index of the statement in its pipeline, which begins with the deferred statements.
  package var position: Int?
  /// The token of the transaction whose outcome is unknown.
  package var commitToken: String?
  /// Whether the server has not answered in time, so that it may still be committing.
  package var isOverdue = false

  package init(_ kind: Kind, _ message: String, sqlState: String = "") {
    self.kind = kind
    self.message = message
    self.sqlState = sqlState
  }

  /// The first two characters of the SQLSTATE.
  package var sqlClass: Substring { sqlState.prefix(2) }

  static func cancelled() -> PostgreSQLError {
    PostgreSQLError(.cancelled, "The call was cancelled.", sqlState: "57014")
  }

  static func closed() -> PostgreSQLError {
    PostgreSQLError(.misuse, "The connection is closed.")
  }
}

extension PostgreSQLError: CustomStringConvertible {
  /// The message with the SQLSTATE and the SQL.
  package var description: String {
    let state = sqlState.isEmpty ? "" : " \(sqlState)"
    let place = sql.map { " in: \($0)" } ?? ""
    return "PostgreSQL error\(state): \(message)\(place)"
  }
}

import MagicEngine
import MagicRuntime
package import MagicSchema

/// The tokens of databases that this process has closed. A database that is opened again gets its former
/// token, so that objects still refer to their rows.
///
/// A database that is open twice has two tokens, because the transactions of both run at the same time:
/// what one of them has stored may still be rolled back, and the other must not take it for stored.
package final class DatabaseTokens: Sendable {
  package static let shared = DatabaseTokens()

  /// Identifies a database of a server.
  package struct Name: Hashable, Sendable {
    /// The connection string. A copy of a server has the same numbers as the server.
    let information: String
    /// The OID of the database of the server.
    let database: Int64
    /// The OID of the table `magic_format`, which differs between schemas.
    let table: Int64

    package init(information: String, database: Int64, table: Int64) {
      (self.information, self.database, self.table) = (information, database, table)
    }
  }

  private let unused = Mutex<[Name: [StoreToken]]>([:]).lockedDuringForks()

  /// Returns a token for a database that is being opened.
  package func take(for name: Name) -> StoreToken {
    let former = unused.withLock { unused -> StoreToken? in
      guard var tokens = unused[name] else { return nil }
      let token = tokens.removeLast()
      unused[name] = tokens.isEmpty ? nil : tokens
      return token
    }
    return former ?? OpenDatabases.shared.newToken()
  }

  /// Returns the token of a database that was closed, and whose transactions have ended.
  package func give(_ token: StoreToken, of name: Name) {
    unused.withLock { $0[name, default: []].append(token) }
  }
}

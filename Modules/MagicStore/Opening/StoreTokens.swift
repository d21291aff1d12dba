import MagicRuntime
import MagicSchema
import SQLiteFiles

/// Gives databases their names within this process, the same one to a database that is opened
/// again, so that objects know their rows across a closing.
///
/// A file's number alone does not name a database: the system gives the numbers of deleted files
/// out again. The random identifier in the file alone does not either: a copy has the same.
final class StoreTokens: @unchecked Sendable {
  static let shared = StoreTokens()

  private let lock = Lock.heldAcrossForks()
  private var known: [Key: StoreToken] = [:]
  private var last: UInt64 = 0

  private struct Key: Hashable {
    let file: DatabaseFile.Identity
    let database: String
  }

  /// A token no database has had.
  func new() -> StoreToken { lock.withLock { next() } }

  /// The token of a database that has its identifier.
  func token(of file: DatabaseFile.Identity, database: String) -> StoreToken {
    lock.withLock {
      let key = Key(file: file, database: database)
      let token = known[key] ?? next()
      known[key] = token
      return token
    }
  }

  /// The database with this token has got its identifier.
  func remember(_ token: StoreToken, of file: DatabaseFile.Identity, database: String) {
    lock.withLock { known[Key(file: file, database: database)] = token }
  }

  private func next() -> StoreToken {
    last += 1
    return StoreToken(rawValue: last)
  }
}

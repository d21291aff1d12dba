import Foundation
import MagicEngine
import MagicFiles
import MagicPostgreSQL
import MagicRuntime
package import MagicSchema
package import PostgreSQLTables

/// What the connections of an open database share.
package final class EngineContext: Sendable {
  package let token: StoreToken
  /// The schema that contains the catalogue; nil if there is none yet.
  let schema: String?
  /// The identity of the database until its token is returned.
  private let name: Mutex<DatabaseTokens.Name?>
  let feed = ChangeFeed()
  let diagnostics: Diagnostics?
  let lifecycle: StoreLifecycle
  let leases: StoreLeases
  package let owners = TableOwners()
  /// How long a migration waits for the lock of a table, in seconds.
  let migrationTimeout: Double
  let typeCheckNanoseconds: UInt64
  package let isReadOnly: Bool
  /// The folder for the content of assets, until it is stored in a transaction. It is in the directory
  /// for temporary files, and is created when it is first needed.
  let staging: AssetFolder
  private let hasCatalogue = Mutex(false)
  /// Publishes the commits to the feed. Set once, before the database is used.
  private let commits = Mutex<(any CommitPublisher)?>(nil)
  private let acknowledged = Mutex<[CommitToken]>([])

  /// - Parameters:
  ///   - schema: the schema that contains the catalogue.
  ///   - name: the identity of the database; nil if it has no tables of the library yet.
  init(_ settings: PostgreSQLSettings, schema: String?, name: DatabaseTokens.Name?) {
    self.schema = schema
    self.name = Mutex(name)
    token = name.map(DatabaseTokens.shared.take) ?? OpenDatabases.shared.newToken()
    let lifecycle = StoreLifecycle()
    (self.lifecycle, leases) = (lifecycle, StoreLeases(lifecycle))
    migrationTimeout = settings.migrationTimeout
    typeCheckNanoseconds = settings.typeCheckNanoseconds
    isReadOnly = settings.isReadOnly
    let path = FileManager.default.temporaryDirectory.path + "/magic-assets-\(UUID().uuidString)"
    staging = AssetFolder(DiskFileSystem(root: path, durability: .none), path: path)
    diagnostics = settings.diagnostics.map(Diagnostics.init)
  }

  func makeLease() -> StoreLease? { leases.makeLease() }

  var publisher: (any CommitPublisher)? { commits.withLock { $0 } }

  func setPublisher(_ publisher: (any CommitPublisher)?) { commits.withLock { $0 = publisher } }

  /// Lets the database have the same token when it is opened again. Called when it was closed and its
  /// transactions have ended.
  func giveToken() {
    let name = name.withLock { name in
      defer { name = nil }
      return name
    }
    if let name { DatabaseTokens.shared.give(token, of: name) }
  }

  func checkMayContinue() throws { try lifecycle.checkMayContinue() }

  /// Records a token whose commit is known to the caller, so that its row is not needed any more.
  ///
  /// - Returns: the tokens whose rows should be removed now.
  func noteAcknowledged(_ token: CommitToken) -> [CommitToken] {
    acknowledged.withLock { tokens in
      tokens.append(token)
      guard tokens.count >= 1_000 else { return [] }
      defer { tokens.removeAll(keepingCapacity: true) }
      return tokens
    }
  }

  /// Returns whether the database has the library's tables. It always has them once it had them.
  ///
  /// - Parameter look: asks the server.
  func catalogueExists(_ look: () throws -> Bool) rethrows -> Bool {
    if hasCatalogue.withLock({ $0 }) { return true }
    let exists = try look()
    if exists { hasCatalogue.withLock { $0 = true } }
    return exists
  }
}

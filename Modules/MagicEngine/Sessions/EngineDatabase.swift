package import MagicSchema

/// An open database of an engine.
///
/// Handles, for example stores, share it. The database is registered in ``OpenDatabases`` while it
/// exists. Errors of the engine are `MagicError`s.
///
/// The body of a read or a write stays on one thread. The engine has these duties around the body:
/// - The engine refuses a blocking call inside a body of the same database, see
///   ``checkNotReentrant()``, and marks the thread as running a body, see ``markingCall(_:)``.
/// - The engine checks for cancellation of the task before it waits for a connection.
/// - The engine checks the ``EngineHandles/lifecycle`` before it returns a result, because user
///   code may have forked the process, and the database may have been suspended.
///
/// The handles check that the database is open, at the start of each call.
package protocol EngineDatabase: EngineAccess, EngineHandles, EngineObservers, EngineMaintenance,
  EngineMigrations
{
  /// The identity of the database in objects. A database that is closed and opened again in this
  /// process keeps its token.
  var token: StoreToken { get }

  /// The content of assets, or nil for an engine that does not store assets.
  var assets: (any AssetStore)? { get }

  /// What the row cache has done. Default: zeros, for an engine without one.
  var cacheStatistics: MagicCacheStatistics { get }
}

extension EngineDatabase {
  package var cacheStatistics: MagicCacheStatistics { MagicCacheStatistics() }
}

package import MagicFiles
package import MagicSchema

/// An open database of an engine.
///
/// Handles, such as an `MagicObjectStore`, share it. It is entered into ``OpenDatabases`` while it exists.
/// Errors of the engine are `MagicError`s.
///
/// The body of a read or a write stays on one thread. Around it the engine
/// - refuses a blocking call inside of a body of the same database, see ``checkNotReentrant()``, and marks
///   the thread as one that runs a body, see ``markingCall(_:)``;
/// - looks at whether the task was cancelled before it waits for a connection, and at the
///   ``EngineHandles/lifecycle`` before it returns a result: the user's code may have forked the process,
///   and the database may have been suspended.
/// Whether the database is open is asked by the handles, where a call enters.
package protocol EngineDatabase: EngineAccess, EngineHandles, EngineObservers, EngineMaintenance,
  EngineMigrations
{
  /// Identifies the database in objects: the same when it is closed and opened again in this process.
  var token: StoreToken { get }

  var capabilities: EngineCapabilities { get }

  /// The folder with the files of assets; nil for an engine that stores none.
  var assets: AssetFolder? { get }
}

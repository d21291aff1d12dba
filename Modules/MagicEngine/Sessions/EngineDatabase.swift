package import MagicFiles
package import MagicSchema

/// An open database of an engine.
///
/// Handles, such as an `ObjectStore`, share it. It is entered into ``OpenDatabases`` while it exists.
/// Errors of the engine are `MagicError`s.
package protocol EngineDatabase: EngineAccess, EngineHandles, EngineObservers, EngineMaintenance,
  EngineMigrations
{
  /// Identifies the database in objects.
  var token: StoreToken { get }

  var capabilities: EngineCapabilities { get }

  /// The folder with the files of assets; nil for an engine that stores none.
  var assets: AssetFolder? { get }
}

import MagicData
import MagicStore
import MagicTestSupport

/// An engine that tests run on, and how it opens databases.
public struct TestedEngine: Sendable {
  /// The engine that the running test opens its databases on. SQLite outside of `.everyEngine`.
  @TaskLocal public static var current = TestedEngine.sqlite

  /// The name in `MAGIC_ENGINE` and in the log of a failed test.
  public let name: String
  /// The optional features, beyond the contract of all engines.
  public let features: EngineFeatures
  /// Opens a database for `MagicData`.
  let openMagicData: @Sendable (MagicStoreLocation, MagicOptions) async throws -> MagicData
  /// Opens a database for blocking calls.
  let openObjectStore: @Sendable (MagicStoreLocation, MagicOptions) throws -> MagicObjectStore

  init(
    name: String, features: EngineFeatures,
    openMagicData: @escaping @Sendable (MagicStoreLocation, MagicOptions) async throws -> MagicData,
    openObjectStore:
      @escaping @Sendable (MagicStoreLocation, MagicOptions) throws -> MagicObjectStore
  ) {
    self.name = name
    self.features = features
    self.openMagicData = openMagicData
    self.openObjectStore = openObjectStore
  }

  /// Whether the engine has all of these features.
  public func has(_ features: EngineFeatures) -> Bool { self.features.isSuperset(of: features) }

  /// Returns the number of rounds of a test with random choices: on a server a quarter of those of the other
  /// engines, except with `MAGIC_LONG=1`.
  public static func rounds(_ count: Int) -> Int {
    current.name == postgres.name ? Effort.choose((count + 3) / 4, long: count) : count
  }
}

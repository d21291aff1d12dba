/// The optional features of an engine, beyond the contract of all engines. A test declares the
/// features that it requires with `.requires`.
public struct EngineFeatures: OptionSet, Sendable {
  /// One bit for each feature.
  public let rawValue: Int

  /// The features whose bits are set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A database is a file, which another connection or process can open.
  public static let files = EngineFeatures(rawValue: 1 << 0)
  /// A closed database can be opened again at its path. Other processes can open it too.
  public static let reopening = EngineFeatures(rawValue: 1 << 1)
  /// Statements written in the SQL of SQLite.
  public static let rawSQL = EngineFeatures(rawValue: 1 << 2)
  /// Statements written in the SQL of the engine.
  public static let dialect = EngineFeatures(rawValue: 1 << 12)
  /// The SQL of typed queries, its plans and its diagnostics, and the log of the statements that
  /// run.
  public static let statements = EngineFeatures(rawValue: 1 << 3)
  /// Values that are stored apart from their rows, as files or in pieces.
  public static let assets = EngineFeatures(rawValue: 1 << 4)
  /// Tables that were created for an earlier schema of their type, and their migration.
  public static let migration = EngineFeatures(rawValue: 1 << 5)
  /// Verification, backup and suspension, and the limits that options set, such as those of
  /// snapshots and of concurrent reads.
  public static let maintenance = EngineFeatures(rawValue: 1 << 6)
  /// Typed queries.
  public static let queries = EngineFeatures(rawValue: 1 << 7)
  /// Queries of rows combined with other rows or with elements, and set operations of selections.
  public static let combinations = EngineFeatures(rawValue: 1 << 8)
  /// The body of a transaction runs once, and row IDs that were rolled back are assigned again.
  public static let singleRuns = EngineFeatures(rawValue: 1 << 9)
  /// Live results are read again only after commits that could change them.
  public static let regions = EngineFeatures(rawValue: 1 << 11)
  /// Percentiles of numbers whose distance exceeds the range of numbers.
  public static let widePercentiles = EngineFeatures(rawValue: 1 << 10)
  /// Handles at the same path that are open at the same time share one database and its objects.
  public static let sharedHandles = EngineFeatures(rawValue: 1 << 13)
  /// Names of tables and columns of any length.
  public static let longNames = EngineFeatures(rawValue: 1 << 14)
  /// Texts that are compared by collations.
  public static let collations = EngineFeatures(rawValue: 1 << 15)
}

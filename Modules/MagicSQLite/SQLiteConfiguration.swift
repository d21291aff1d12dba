/// The settings of a connection: its access to the file, and the guarantees of its commits.
public struct SQLiteConfiguration: Sendable {
  /// Whether a connection may write.
  public enum Access: Sendable {
    /// Reads and writes. Creates the file if it does not exist.
    case readWrite
    /// Reads and writes a file that must exist.
    case readWriteExisting
    /// Only reads a file that must exist.
    case readOnly
    /// Only reads a file that no program changes while it is open. SQLite uses no locks and creates
    /// no other files.
    case immutable
  }

  /// The data that survives a power failure.
  public enum Durability: Int, Sendable, Comparable {
    /// Nothing is guaranteed. For databases that are deleted when their process ends.
    case off
    /// The database stays consistent. The last commits may be missing.
    case normal
    /// Every commit that was reported is stored.
    case full

    /// Orders durabilities by the strength of their guarantees.
    public static func < (left: Durability, right: Durability) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// Whether the connection may write. Default: ``Access/readWrite``.
  public var access: Access
  /// The data that survives a power failure. Default: ``Durability/full``.
  public var durability: Durability
  /// How long a statement waits for another connection's lock, in seconds. Default: 5.
  public var busyTimeout: Double
  /// The maximum size of the page cache, in KiB. The cache grows as it is used. Default: 65,536.
  public var cacheSize: Int
  /// A closure that is called with the SQL of every statement that runs, without its values.
  /// Default: nil.
  public var trace: (@Sendable (String) -> Void)?
  /// Whether ``trace`` gets the SQL with its values. Default: false.
  public var tracesValues: Bool

  /// Creates a configuration with the given settings and the defaults for all others.
  public init(
    access: Access = .readWrite,
    durability: Durability = .full,
    busyTimeout: Double = 5,
    cacheSize: Int = 65_536,
    trace: (@Sendable (String) -> Void)? = nil,
    tracesValues: Bool = false
  ) {
    self.access = access
    self.durability = durability
    self.busyTimeout = busyTimeout
    self.cacheSize = cacheSize
    self.trace = trace
    self.tracesValues = tracesValues
  }
}

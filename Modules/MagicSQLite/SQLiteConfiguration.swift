/// How a connection is opened and what it promises.
public struct SQLiteConfiguration: Sendable {
  /// Who may write.
  public enum Access: Sendable {
    /// Reads and writes, and creates the file where there is none.
    case readWrite
    /// Reads and writes a file that must exist.
    case readWriteExisting
    /// Reads alone; the file must exist.
    case readOnly
    /// Reads alone, a file that nobody changes while it is open: no lock and no side file is used.
    case immutable
  }

  /// What survives a loss of power.
  public enum Durability: Int, Sendable, Comparable {
    /// Nothing is promised. For databases that end with their process.
    case off
    /// The database stays whole; the last commits may be missing.
    case normal
    /// Every commit that was reported is there.
    case full

    /// Orders by what is promised.
    public static func < (left: Durability, right: Durability) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// Who may write. Default: ``Access/readWrite``.
  public var access: Access
  /// What survives a loss of power. Default: ``Durability/full``.
  public var durability: Durability
  /// How long a statement waits for another connection's lock, in seconds. Default: 5.
  public var busyTimeout: Double
  /// How much of the database the connection keeps in memory, in KiB. Default: 65,536, grown into
  /// as it is used.
  public var cacheSize: Int
  /// Gets the SQL of every statement that runs, without its values. Default: nil.
  public var trace: (@Sendable (String) -> Void)?
  /// Whether ``trace`` gets the SQL with its values in it. Default: false.
  public var tracesValues: Bool

  /// A configuration with the given settings and defaults for the rest.
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

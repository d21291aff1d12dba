import MagicEngine
package import MagicFiles
import SQLiteEngine

/// How a database is opened.
public struct StoreOptions: Sendable {
  /// What survives a loss of power.
  public enum Durability: Sendable {
    /// Nothing is promised. Only for databases that are not kept: temporary ones, and the copies of
    /// fixtures in tests.
    case off
    /// The database stays whole; the last saves may be missing.
    case normal
    /// Every save that returned is there.
    case full
  }

  /// Whether the database is only read. Default: false.
  public var readOnly: Bool
  /// What survives a loss of power. Default: ``Durability/full``.
  public var durability: Durability
  /// The most connections that read at once, at least one. Default: 4.
  public var readers: Int
  /// How long to wait for another process's lock, in seconds. Default: 5.
  public var busyTimeout: Double
  /// How large the write-ahead log may become for the sake of snapshots, in bytes, more than 0.
  /// Beyond it the snapshots that keep it from being emptied are taken away, the oldest first: their
  /// reads throw `.snapshotTooOld`. Default: 64 MiB.
  public var snapshotLimit: Int
  /// Whether a database is opened whose write-ahead log is missing or damaged, without the saves that
  /// were in it; else that throws `.lostDatabase`. Default: false. A loss is noticed of a log that was
  /// written with durability `.full`. A log that would damage the database is removed: no other
  /// process may have it open then.
  public var acceptsLostLog: Bool
  /// Gets the SQL of every statement. Default: nil.
  public var trace: (@Sendable (String) -> Void)?
  /// Whether ``trace`` gets the SQL with its values. Default: false.
  public var tracesValues: Bool

  /// Gets what makes the database slower than it need be, while a program is developed. Default: nil,
  /// at no cost.
  public var diagnostics: MagicDiagnostics?

  /// Gives the file system of the folder with a path; nil for the disk's.
  package var fileSystem: (@Sendable (_ path: String, FileDurability) -> any FileSystem)?

  /// The directory of a database that is not kept; it goes with the last user of the database.
  package var directory: PrivateDirectory?

  /// Options with the given settings and defaults for the rest.
  public init(
    readOnly: Bool = false, durability: Durability = .full, readers: Int = 4,
    busyTimeout: Double = 5, snapshotLimit: Int = 64 << 20, acceptsLostLog: Bool = false,
    trace: (@Sendable (String) -> Void)? = nil, tracesValues: Bool = false,
    diagnostics: MagicDiagnostics? = nil
  ) {
    self.readOnly = readOnly
    self.durability = durability
    self.readers = readers
    self.busyTimeout = busyTimeout
    self.snapshotLimit = snapshotLimit
    self.acceptsLostLog = acceptsLostLog
    self.trace = trace
    self.tracesValues = tracesValues
    self.diagnostics = diagnostics
  }
}

extension StoreOptions {
  /// Gives the file system of the directory with a path.
  var makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem {
    fileSystem ?? { DiskFileSystem(root: $0, durability: $1) }
  }

  /// What files beside the database promise.
  var fileDurability: FileDurability {
    switch durability {
    case .off: .none
    case .normal: .ordered
    case .full: .full
    }
  }
}

public import Logging
public import MagicEngine
package import MagicFiles
import SQLiteEngine

/// How a database is opened.
///
/// Several databases that a process opens on one file share its connections and the options of the
/// first, with the strongest ``durability`` of all.
public struct MagicOptions: Sendable {
  /// What survives a power failure.
  public enum Durability: Sendable {
    /// Nothing is guaranteed. Only for databases that are not kept: temporary ones, and copies of
    /// fixtures in tests.
    case off
    /// The database stays consistent. The last saves may be missing.
    case normal
    /// Every save that has returned is stored.
    case full
  }

  /// Whether the database is only read. Default: false.
  public var readOnly: Bool
  /// What survives a power failure. Default: ``Durability/full``.
  public var durability: Durability
  /// The maximum number of connections that read concurrently, at least one. Default: 4.
  public var readers: Int
  /// How long to wait for another process's lock, in seconds. Default: 5.
  public var busyTimeout: Double
  /// The maximum size of the write-ahead log that snapshots may keep, in bytes, more than 0. If the
  /// log exceeds it, the snapshots that prevent it from being emptied are revoked, the oldest
  /// first: their reads throw `.snapshotTooOld`. Default: 64 MiB.
  public var snapshotLimit: Int
  /// Whether to open a database whose write-ahead log is missing or damaged, without the saves that
  /// were in it; else opening it throws `.lostDatabase`. Default: false. A loss is detected if the
  /// log was written with durability `.full`. A log that would damage the database is deleted, so
  /// no other process may have the database open.
  public var acceptsLostLog: Bool
  /// Called with the SQL of every statement. Default: nil.
  public var trace: (@Sendable (String) -> Void)?
  /// Whether ``trace`` gets the SQL with its values. Default: false.
  public var tracesValues: Bool

  /// Reports what makes the database slower than necessary, during development. Default: nil, which
  /// costs nothing.
  public var diagnostics: MagicDiagnostics?

  /// Returns the file system of a directory; nil for the disk's file system.
  package var fileSystem: (@Sendable (_ path: String, FileDurability) -> any FileSystem)?

  /// The directory of a database that is not kept. It is deleted when the last user of the database
  /// closes it.
  package var directory: PrivateDirectory?

  /// Creates options with the given settings and the defaults for all others.
  public init(
    readOnly: Bool = false, durability: Durability = .full, readers: Int = 4,
    busyTimeout: Double = 5, snapshotLimit: Int = 64 << 20, acceptsLostLog: Bool = false,
    logger: Logger? = nil, logsValues: Bool = false, diagnostics: MagicDiagnostics? = nil
  ) {
    self.readOnly = readOnly
    self.durability = durability
    self.readers = readers
    self.busyTimeout = busyTimeout
    self.snapshotLimit = snapshotLimit
    self.acceptsLostLog = acceptsLostLog
    self.logger = logger
    self.logsValues = logsValues
    self.diagnostics = diagnostics
  }

  /// Creates options of a database whose statements a closure receives.
  package init(durability: Durability = .full, trace: @escaping @Sendable (String) -> Void) {
    self.init(durability: durability)
    self.trace = trace
  }
}

extension MagicOptions {
  /// Returns the file system of a directory.
  var makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem {
    fileSystem ?? { DiskFileSystem(root: $0, durability: $1) }
  }

  /// The durability of the files next to the database.
  var fileDurability: FileDurability {
    switch durability {
    case .off: .none
    case .normal: .ordered
    case .full: .full
    }
  }
}

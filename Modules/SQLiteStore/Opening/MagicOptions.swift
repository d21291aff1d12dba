public import Logging
public import MagicEngine
package import MagicFiles
import SQLiteEngine

/// How a database is opened.
///
/// Several databases that a process opens on one file share its connections and the options of the
/// first, with the strongest ``durability`` of all.
public struct MagicOptions: Sendable {
  /// What survives a loss of power.
  public enum Durability: Sendable {
    /// Nothing is promised. Only for databases that are not kept: temporary ones, and the copies of
    /// fixtures in tests.
    case off
    /// The database stays consistent; the last saves may be missing.
    case normal
    /// Every save that has returned is stored.
    case full
  }

  /// Whether the database is only read. Default: false.
  public var readOnly: Bool
  /// What survives a loss of power. Default: ``Durability/full``.
  public var durability: Durability
  /// The maximum number of concurrent reads, at least one. Default: 4.
  public var readers: Int
  /// How long to wait for another process's lock, in seconds. Default: 5.
  public var busyTimeout: Double
  /// How large the write-ahead log may grow because of snapshots, in bytes, more than 0.
  /// Default: 64 MiB.
  ///
  /// A snapshot keeps the log from being reused. Beyond this size the oldest such snapshots end, and
  /// their reads throw `.snapshotTooOld`. The log also holds the largest transaction, in addition to
  /// this.
  public var snapshotLimit: Int
  /// Whether a database is opened although its write-ahead log is missing or damaged, without the saves
  /// that were in the log. Default: false, which throws `.lostDatabase`.
  ///
  /// The loss of a log is detected where the log was written with durability `.full`. A log that would
  /// damage the database is removed: no other process may have the database open at that time.
  public var acceptsLostLog: Bool
  /// Receives the SQL of every statement, at level `debug`. Default: nil.
  public var logger: Logger?
  /// Whether ``logger`` also receives the values of the statements. Default: false.
  public var logsValues: Bool

  /// Receives what slows the database down, for use during development. Default: nil, at no cost.
  public var diagnostics: MagicDiagnostics?

  /// Receives the SQL of every statement in place of ``logger``.
  package var trace: (@Sendable (String) -> Void)?

  /// Returns the file system of the folder with a path; nil for the disk's.
  package var fileSystem: (@Sendable (_ path: String, FileDurability) -> any FileSystem)?

  /// The directory of a temporary database, removed with the database's last handle.
  package var directory: PrivateDirectory?

  /// Creates options with the given settings and defaults for the rest.
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
  /// What each connection passes its statements to; nil where no one asked for them.
  var statementTrace: (@Sendable (String) -> Void)? {
    if let trace { return trace }
    guard let logger else { return nil }
    return { sql in logger.debug("\(sql)") }
  }

  /// Returns the file system of the directory with a path.
  var makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem {
    fileSystem ?? { DiskFileSystem(root: $0, durability: $1) }
  }

  /// The durability of the files beside the database.
  var fileDurability: FileDurability {
    switch durability {
    case .off: .none
    case .normal: .ordered
    case .full: .full
    }
  }
}

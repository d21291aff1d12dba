public import Logging
public import MagicEngine
package import MagicFiles
import SQLiteEngine

/// The options for opening a database.
///
/// ```swift
/// let options = MagicOptions(durability: .normal, busyTimeout: 1)
/// let fast = try await MagicData(path: path, options: options)
/// ```
///
/// If a process opens the same file several times, all of these databases share the connections and
/// the options of the first one, except that the strongest ``durability`` of all is used.
public struct MagicOptions: Sendable {
  /// The data that survives a power failure.
  public enum Durability: Sendable {
    /// Nothing is guaranteed. Only for databases that are deleted after use: temporary databases,
    /// and copies of fixtures in tests.
    case off
    /// The database stays consistent. The last saves may be missing.
    case normal
    /// Every save that has returned is stored.
    case full
  }

  /// Whether the database is only read. Default: false.
  public var readOnly: Bool
  /// Whether the database file must exist. If it does not, opening throws `.cannotOpen`, and no file
  /// or directory is created. Default: false; a missing file is created.
  public var mustExist: Bool
  /// The data that survives a power failure. Default: ``Durability/full``.
  public var durability: Durability
  /// The maximum number of concurrent reads, at least 1. Default: 4.
  public var readers: Int
  /// How long to wait for a lock of another process, in seconds; 0 or more, and finite. Default: 5.
  public var busyTimeout: Double
  /// The maximum size of the write-ahead log that snapshots may cause, in bytes; more than 0.
  /// Default: 64 MiB.
  ///
  /// The space of the log cannot be reused while a snapshot uses the log. If the log exceeds this
  /// size, the oldest snapshots are revoked: their reads throw `.snapshotTooOld`. A large
  /// transaction can make the log larger than this size.
  public var snapshotLimit: Int
  /// How long a reader may keep its snapshot after a read, for the next read, in seconds; 0 to
  /// 3,600. Default: 0.01. With 0, each read takes its own snapshot.
  ///
  /// A read that finds no commit since the last one then needs no system call. No commit is missed.
  /// A kept snapshot delays the reuse of the log's space, also for other processes, and ends after
  /// at most twice this time.
  public var heldSnapshotTime: Double
  /// The memory for rows that were looked up by primary, in bytes, with the tables that find them; 0 or
  /// more. Default: 16 MiB. With 0, no rows are cached. A suspension frees the memory.
  ///
  /// A row in the cache is found without SQLite by its primary value: by `object(of:primary:)`, by the
  /// `first()` of a query that has no other condition, and by `has`. Each lookup returns a new object,
  /// and sees every commit that was made before it. Commits of this process keep the rows that they do
  /// not change; commits of other processes, raw SQL and migrations make all cached rows invalid. Rows of
  /// types with relationships, lazy values or values in files are not cached.
  public var rowCacheSize: Int
  /// Whether to open a database whose write-ahead log is missing or damaged, without the saves that
  /// were in the log. Default: false; opening such a database throws `.lostDatabase`.
  ///
  /// The loss of a log is detected only if the log was written with durability `.full`. A log that
  /// would damage the database is deleted. No other process may have the database open at that
  /// time.
  public var acceptsLostLog: Bool
  /// The logger that receives the SQL of every statement, at level `debug`. Default: nil.
  public var logger: Logger?
  /// Whether ``logger`` also receives the values of the statements. Default: false.
  public var logsValues: Bool

  /// The diagnostics that report slow uses of the database, for development. Default: nil, which
  /// needs no time.
  public var diagnostics: MagicDiagnostics?

  /// A closure that receives the SQL of every statement, in place of ``logger``.
  package var trace: (@Sendable (String) -> Void)?

  /// Returns the file system of the folder at a path; nil for the file system of the disk.
  package var fileSystem: (@Sendable (_ path: String, FileDurability) -> any FileSystem)?

  /// The free space of the database file up to which it is not returned to the file system, in
  /// bytes.
  package var minimumFreeSpace = 1 << 20

  /// The number of objects of one call from which indexes of tables without rows are created after the
  /// rows.
  package var postponingMinimum = 2_048

  /// The directory of a temporary database. It is deleted when the last handle is closed.
  package var directory: PrivateDirectory?

  /// Creates options with the given values, and the defaults for all others.
  public init(
    readOnly: Bool = false, mustExist: Bool = false, durability: Durability = .full,
    readers: Int = 4, busyTimeout: Double = 5, snapshotLimit: Int = 64 << 20,
    heldSnapshotTime: Double = 0.01, rowCacheSize: Int = 16 << 20,
    acceptsLostLog: Bool = false, logger: Logger? = nil, logsValues: Bool = false,
    diagnostics: MagicDiagnostics? = nil
  ) {
    self.readOnly = readOnly
    self.mustExist = mustExist
    self.durability = durability
    self.readers = readers
    self.busyTimeout = busyTimeout
    self.snapshotLimit = snapshotLimit
    self.heldSnapshotTime = heldSnapshotTime
    self.rowCacheSize = rowCacheSize
    self.acceptsLostLog = acceptsLostLog
    self.logger = logger
    self.logsValues = logsValues
    self.diagnostics = diagnostics
  }

  /// Creates options for a database whose statements are passed to a closure.
  package init(durability: Durability = .full, trace: @escaping @Sendable (String) -> Void) {
    self.init(durability: durability)
    self.trace = trace
  }
}

extension MagicOptions {
  /// The closure that receives the statements of each connection; nil if they are not logged.
  var statementTrace: (@Sendable (String) -> Void)? {
    if let trace { return trace }
    guard let logger else { return nil }
    return { sql in logger.debug("\(sql)") }
  }

  /// Returns the file system of the directory at a path.
  var makeFileSystem: @Sendable (_ path: String, FileDurability) -> any FileSystem {
    fileSystem ?? { DiskFileSystem(root: $0, durability: $1) }
  }

  /// The durability of the asset files.
  var fileDurability: FileDurability {
    switch durability {
    case .off: .none
    case .normal: .ordered
    case .full: .full
    }
  }
}

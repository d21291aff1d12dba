public import Logging
public import MagicEngine
package import SQLiteStore

/// The options for opening a database.
///
/// Several `MagicData` on one file share its connections and the options of the first `MagicData`.
/// The exception is ``durability``: the strongest value applies.
public struct MagicOptions: Sendable {
  /// The commits that survive a power failure.
  public enum Durability: Sendable {
    /// No guarantee: a power failure may corrupt the database. Use this only for databases that are
    /// not kept: `.temporary` databases and copies of fixtures in tests.
    case off
    /// The database stays intact, but the last saves may be lost.
    case normal
    /// Every save that returned is preserved.
    case full
  }

  /// Whether the database is opened read-only. Default: false.
  public var readOnly: Bool
  /// The commits that survive a power failure. Default: ``Durability/full``.
  public var durability: Durability
  /// The maximum number of concurrent reads, at least one. Default: 4.
  public var readers: Int
  /// The longest wait for another process's lock, in seconds. Default: 5.
  public var busyTimeout: Double
  /// The size up to which snapshots may let the write-ahead log grow, in bytes, more than 0.
  /// Default: 64 MiB.
  ///
  /// A snapshot prevents the log from being emptied. If the log exceeds this size, the `read` that
  /// uses the snapshot throws `.snapshotTooOld`. The log can exceed this size by the largest
  /// transaction.
  public var snapshotLimit: Int
  /// Whether a database whose write-ahead log is missing or damaged is opened, without the saves in
  /// that log. Default: false, which throws `.lostDatabase`.
  ///
  /// A lost log is detected only if it was written with durability `.full`. A log that would damage
  /// the database is removed: no other process may have the log open then.
  public var acceptsLostLog: Bool
  /// The logger that receives the SQL of every statement, at level `debug`. Default: nil.
  public var logger: Logger?
  /// Whether the logger also receives the values of the statements. Default: false.
  public var logsValues: Bool

  /// The detection of slow access patterns, for use during development. Default: nil, at no cost.
  public var diagnostics: MagicDiagnostics?

  /// Creates options with the given settings, and defaults for the others.
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

  package var store: MagicOptions {
    var options = MagicOptions(
      readOnly: readOnly, readers: readers, busyTimeout: busyTimeout,
      snapshotLimit: snapshotLimit, acceptsLostLog: acceptsLostLog, tracesValues: logsValues,
      diagnostics: diagnostics)
    switch durability {
    case .off: options.durability = .off
    case .normal: options.durability = .normal
    case .full: options.durability = .full
    }
    if let logger { options.trace = { sql in logger.debug("\(sql)") } }
    return options
  }
}

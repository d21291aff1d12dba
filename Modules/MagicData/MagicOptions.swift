public import Logging
public import MagicEngine
package import SQLiteStore

/// How a database is opened.
///
/// Several `MagicData` on one file share its connections and the options of the first, save that
/// the strongest ``durability`` holds.
public struct MagicOptions: Sendable {
  /// What survives a loss of power.
  public enum Durability: Sendable {
    /// Nothing is promised. For databases alone that nobody keeps: `.temporary` ones, and the copies
    /// of fixtures in tests.
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
  /// The most reads that run at once, at least one. Default: 4.
  public var readers: Int
  /// How long to wait for another process's lock, in seconds. Default: 5.
  public var busyTimeout: Double
  /// How large the write-ahead log may become for the sake of snapshots, in bytes, more than 0.
  /// Default: 64 MiB.
  ///
  /// A `read` whose snapshot keeps the log from being emptied beyond that throws
  /// `.snapshotTooOld`. The log takes the largest transaction more than this.
  public var snapshotLimit: Int
  /// Whether a database is opened whose write-ahead log is missing or damaged, without the saves that
  /// were in it. Default: false, which throws `.lostDatabase`. A loss is noticed of a log that was
  /// written with durability `.full`. A log that would damage the database is removed: no other
  /// process may have it open then.
  public var acceptsLostLog: Bool
  /// Gets the SQL of every statement, on level `debug`. Default: nil.
  public var logger: Logger?
  /// Whether the log shows the values of the statements too. Default: false.
  public var logsValues: Bool

  /// Gets what makes the database slower than it need be, while a program is developed. Default: nil,
  /// at no cost.
  public var diagnostics: MagicDiagnostics?

  /// Options with the given settings and defaults for the rest.
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

  package var store: StoreOptions {
    var options = StoreOptions(
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

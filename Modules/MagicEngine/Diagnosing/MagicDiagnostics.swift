/// The settings for the detection of slow access patterns: limits, and a closure that receives the
/// reports.
///
/// ```swift
/// let options = MagicOptions(diagnostics: MagicDiagnostics { print($0) })
/// ```
///
/// Each cause is reported once. The closure runs during a call on the database and must not call
/// the database itself.
public struct MagicDiagnostics: Sendable {
  /// The minimum number of rows that a reported statement reads in full table scans. Default:
  /// 1,000.
  public var scanLimit: Int
  /// The minimum number of lookups of one kind within ``lookUpSeconds``, each for a single object,
  /// that is reported. Default: 50.
  public var lookUpLimit: Int
  /// The time window in which lookups are counted, in seconds. Default: 0.1.
  public var lookUpSeconds: Double
  /// The closure that receives each diagnosis.
  public var report: @Sendable (MagicDiagnosis) -> Void

  /// Creates diagnostics with the given limits.
  public init(
    scanLimit: Int = 1_000, lookUpLimit: Int = 50, lookUpSeconds: Double = 0.1,
    report: @escaping @Sendable (MagicDiagnosis) -> Void
  ) {
    self.scanLimit = scanLimit
    self.lookUpLimit = lookUpLimit
    self.lookUpSeconds = lookUpSeconds
    self.report = report
  }
}

/// What is told of a database that is asked in a slow way, and to whom.
///
/// ```swift
/// let options = MagicOptions(diagnostics: MagicDiagnostics { print($0) })
/// ```
///
/// Each cause is told once. The closure runs in the middle of a call on the database and must not
/// call the database itself.
public struct MagicDiagnostics: Sendable {
  /// How many rows a statement steps over in scans of whole tables before it is told of.
  /// Default: 1,000.
  public var scanLimit: Int
  /// How many look-ups of one kind, each for a single object, are told of when they come within
  /// ``lookUpSeconds``. Default: 50.
  public var lookUpLimit: Int
  /// The time in which the look-ups are counted, in seconds. Default: 0.1.
  public var lookUpSeconds: Double
  /// Gets what was found.
  public var report: @Sendable (MagicDiagnosis) -> Void

  /// Diagnostics with the given limits.
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

/// The result of a check of a whole database.
///
/// ```swift
/// let report = try await magic.verify()
/// print(report)  // no faults
/// ```
public struct MagicReport: Sendable, Hashable {
  /// The findings: first damage, then broken references, then findings about files.
  public package(set) var findings: [MagicFinding] = []
  /// Whether these are all findings. If false, a kind has more findings than the limit of the
  /// check.
  public package(set) var isComplete = true

  package init() {}

  /// Whether no finding is a fault.
  public var isSound: Bool { !findings.contains { $0.kind.isFault } }
}

extension MagicReport: CustomStringConvertible {
  /// One line for each finding, or "no faults" if there are none.
  public var description: String {
    guard !findings.isEmpty else { return "no faults" }
    let lines = findings.map(\.description)
    return (lines + (isComplete ? [] : ["There are more."])).joined(separator: "\n")
  }
}

/// What a check of a whole database found.
public struct MagicReport: Sendable, Hashable {
  /// What was found: damage first, then broken references, then what is amiss with files.
  public package(set) var findings: [MagicFinding] = []
  /// Whether these are all; else there are more of a kind than were asked for.
  public package(set) var isComplete = true

  package init() {}

  /// Whether nothing found is a fault.
  public var isSound: Bool { !findings.contains { $0.kind.isFault } }
}

extension MagicReport: CustomStringConvertible {
  /// One line for each finding; "no faults" where there is none.
  public var description: String {
    guard !findings.isEmpty else { return "no faults" }
    let lines = findings.map(\.description)
    return (lines + (isComplete ? [] : ["There are more."])).joined(separator: "\n")
  }
}

import ArgumentParser

/// The result of a gate.
enum Verdict {
  /// - Throws: An error if a limit is exceeded, so that the program fails.
  static func tell(_ excesses: [String], otherwise silence: String) throws {
    for excess in excesses { print("gate: \(excess)") }
    guard excesses.isEmpty else { throw ExitCode.failure }
    print("gate: \(silence)")
  }
}

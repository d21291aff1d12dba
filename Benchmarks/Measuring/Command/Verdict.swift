import ArgumentParser

/// What a gate says.
enum Verdict {
  /// - Throws: where something exceeds what is allowed, so that the program fails.
  static func tell(_ excesses: [String], otherwise silence: String) throws {
    for excess in excesses { print("gate: \(excess)") }
    guard excesses.isEmpty else { throw ExitCode.failure }
    print("gate: \(silence)")
  }
}

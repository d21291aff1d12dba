import KillProgram

/// The counts of a series of rounds.
struct Figures {
  var rounds = 0
  var calls = 0
  /// The objects whose row and file were verified.
  var objects = 0
  /// The rounds that the test killed.
  var killed = 0
  /// The rounds whose program completed.
  var done = 0
  /// The calls that were stored and not acknowledged.
  var unacknowledged = 0
  /// The number of rounds that ended at each step.
  var steps: [Step: Int] = [:]

  var text: String {
    let steps = steps.map { "\($0.key.name) \($0.value)" }.sorted().joined(separator: ", ")
    return "\(rounds) rounds, \(calls) calls, \(objects) objects verified, "
      + "\(unacknowledged) unacknowledged calls stored, killed by the test \(killed), "
      + "completed \(done), killed at steps: \(steps)"
  }
}

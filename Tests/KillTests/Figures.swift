import KillProgram

/// What a series of rounds has done.
struct Figures {
  var rounds = 0
  var calls = 0
  /// Objects of which row and file were compared with what they should be.
  var objects = 0
  /// The rounds that ended from outside.
  var killed = 0
  /// The rounds that came to their end.
  var done = 0
  /// Calls that were stored without being acknowledged.
  var unacknowledged = 0
  /// The rounds that ended at each step.
  var steps: [Step: Int] = [:]

  var text: String {
    let steps = steps.map { "\($0.key.name) \($0.value)" }.sorted().joined(separator: ", ")
    return "\(rounds) rounds, \(calls) calls, \(objects) objects verified, "
      + "\(unacknowledged) calls stored unacknowledged, killed from outside \(killed), "
      + "through \(done), killed at steps: \(steps)"
  }
}

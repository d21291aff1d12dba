import KillProgram

/// What a series of killed migrations has done.
struct MigrationFigures {
  var rounds = 0
  /// The rounds that left the old state, and those that left the new one.
  var old = 0
  var new = 0
  /// The rounds that came to their end.
  var done = 0
  /// The rounds that ended from outside.
  var killed = 0
  /// The statements before which a round ended, each once.
  var met: Set<String> = []
  /// How many there are.
  var statements = 0
  /// The rounds that ended at each step.
  var steps: [Step: Int] = [:]

  var text: String {
    let steps = steps.map { "\($0.key.name) \($0.value)" }.sorted().joined(separator: ", ")
    return "\(rounds) rounds, left old \(old), left new \(new), through \(done), "
      + "killed from outside \(killed), met \(met.count) of \(statements) statements, "
      + "killed at steps: \(steps)"
  }
}

import KillProgram

/// The counts of a series of killed migrations.
struct MigrationFigures {
  var rounds = 0
  /// The rounds that ended in the old state, and those that ended in the new one.
  var old = 0
  var new = 0
  /// The rounds whose program completed.
  var done = 0
  /// The rounds that the test killed.
  var killed = 0
  /// The distinct statements before which a round ended.
  var reached: Set<String> = []
  /// The number of distinct statements of a migration.
  var statements = 0
  /// The number of rounds that ended at each step.
  var steps: [Step: Int] = [:]

  var text: String {
    let steps = steps.map { "\($0.key.name) \($0.value)" }.sorted().joined(separator: ", ")
    return "\(rounds) rounds, old state \(old), new state \(new), completed \(done), "
      + "killed by the test \(killed), reached \(reached.count) of \(statements) statements, "
      + "killed at steps: \(steps)"
  }
}

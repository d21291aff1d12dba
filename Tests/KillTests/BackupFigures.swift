import KillProgram

/// The counts of a series of rounds.
struct BackupFigures {
  var rounds = 0
  /// The rounds that the test killed, and those whose program was to kill itself at a step.
  var killed = 0
  var stepped = 0
  /// The rounds after which there was no copy, and those with a complete copy.
  var absent = 0
  var complete = 0
  /// The rounds after which files of an unfinished copy remained.
  var partial = 0
  /// The copies that were made to the same path afterwards.
  var again = 0
  /// The objects whose row and file in the copy were verified.
  var objects = 0
  var steps: [Step: Int] = [:]

  var text: String {
    let steps = steps.map { "\($0.key.name) \($0.value)" }.sorted().joined(separator: ", ")
    return "\(rounds) rounds, no copy \(absent), complete copy \(complete), partial \(partial), "
      + "copied again \(again), \(objects) objects verified, killed by the test \(killed), "
      + "killed at steps: \(steps)"
  }
}

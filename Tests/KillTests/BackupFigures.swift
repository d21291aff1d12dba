import KillProgram

/// What a series of rounds has done.
struct BackupFigures {
  var rounds = 0
  /// The rounds that ended from outside, and those that were to end at a step.
  var killed = 0
  var stepped = 0
  /// The rounds after which there was no copy, and a whole one.
  var absent = 0
  var complete = 0
  /// The rounds after which something of a copy was left.
  var partial = 0
  /// The copies that were made to the same place afterwards.
  var again = 0
  /// Objects of which row and file in the copy were compared with what they should be.
  var objects = 0
  var steps: [Step: Int] = [:]

  var text: String {
    let steps = steps.map { "\($0.key.name) \($0.value)" }.sorted().joined(separator: ", ")
    return "\(rounds) rounds, no copy \(absent), a whole one \(complete), parts left \(partial), "
      + "copied again \(again), \(objects) objects verified, killed from outside \(killed), "
      + "killed at steps: \(steps)"
  }
}

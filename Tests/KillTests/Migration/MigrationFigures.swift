/// The counts of a series of killed migrations.
struct MigrationFigures {
  var endings = EndingCounts()
  /// The rounds that ended in the old state, and those that ended in the new one.
  var old = 0
  var new = 0
  /// The distinct statements before which a round ended.
  var reached: Set<String> = []
  /// The distinct statements of the migrations.
  var statements: Set<String> = []

  var text: String {
    "\(endings.rounds) rounds, old state \(old), new state \(new), "
      + "reached \(reached.count) of \(statements.count) statements, "
      + endings.text
  }
}

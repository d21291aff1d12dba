/// The counts of a series of rounds.
struct BackupFigures {
  var endings = EndingCounts()
  /// The rounds after which there was no copy, and those with a complete copy.
  var absent = 0
  var complete = 0
  /// The rounds after which files of an unfinished copy remained.
  var partial = 0
  /// The copies that were made to the same path afterwards.
  var again = 0
  /// The objects whose row and file in the copy were verified.
  var objects = 0

  var text: String {
    "\(endings.rounds) rounds, no copy \(absent), complete copy \(complete), partial \(partial), "
      + "copied again \(again), \(objects) objects verified, "
      + endings.text
  }
}

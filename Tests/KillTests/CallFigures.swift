/// The counts of rounds of calls.
struct CallFigures {
  var endings = EndingCounts()
  var calls = 0
  /// The objects whose row and file were verified.
  var objects = 0
  /// The calls that were stored and not acknowledged.
  var unacknowledged = 0

  var text: String {
    "\(endings.rounds) rounds, \(calls) calls, \(objects) objects verified, "
      + "\(unacknowledged) unacknowledged calls stored, \(endings.text)"
  }
}

import MagicTestSupport

/// The counts of a series of rounds.
struct ExchangeFigures {
  var endings = EndingCounts()
  /// The rounds after which the destination had nothing, some whole batches, or everything.
  var absent = 0
  var batches = 0
  var complete = 0
  /// The unfinished destinations that remained, and those of them whose import was refused.
  var partial = 0
  var refused = 0
  /// The runs that completed the work afterwards.
  var again = 0

  var text: String {
    "\(endings.rounds) rounds, nothing \(absent), whole batches \(batches), complete \(complete), "
      + "unfinished \(partial), refused \(refused), completed afterwards \(again), "
      + endings.text
  }

  /// The differences of a database, which an import has created, from the one that was exported.
  static func differences(of path: String, from source: DatabaseDump) throws -> [String] {
    let dump = try DatabaseDump(of: path)
    // The identifier of a database is its own. The search index is filled when it is first used. A copy
    // does not store a counter of row IDs that is not above the stored rows.
    let own = ["table magic_format", "table magic_catalogue"]
    return dump.faults + dump.leftovers
      + dump.differences(from: source).filter {
        !$0.contains("magic_search(") && !own.contains($0)
      }
  }
}

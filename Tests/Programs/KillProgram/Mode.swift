/// How the program works: as it should, fast or slowly, or so that it breaks one promise, which its
/// parent must find.
package enum Mode: String, Sendable {
  case sound
  /// Acknowledges a call before it is committed.
  case ackfirst
  /// Writes files after the commit.
  case assetlast
  /// Removes files before the commit.
  case unlinkfirst
  /// Saves a letter and its envelope in two transactions, or migrates in two.
  case halves
  /// Marks no batches, so that no sweep finds what is left.
  case markless
  /// Gives a copy its name before it has its files.
  case namefirst
  /// Tells that it is about to commit, and takes its time.
  case slow
  /// Forgets which migration steps were taken.
  case versionless
}

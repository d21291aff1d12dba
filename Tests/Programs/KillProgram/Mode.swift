/// How the program works: correctly, correctly and slowly, or with one flaw, which its parent must
/// find.
package enum Mode: String, Sendable {
  case sound
  /// Acknowledges a call before it is committed.
  case ackfirst
  /// Writes files after the commit.
  case assetlast
  /// Removes files before the commit.
  case unlinkfirst
  /// Saves a letter and its envelope in two transactions, or migrates in two, or imports each batch in two.
  case twoTransactions
  /// Creates no markers of batches in use, so that no sweep finds their remaining files.
  case unmarked
  /// Gives a copy, or an export, its name before it has its files.
  case namefirst
  /// Announces a commit, and waits before it.
  case slow
  /// Deletes the record of the completed migration steps.
  case versionless
}

/// How the program works: as it should, or so that it breaks one promise, which its checks must find.
enum Mode: String, Sendable, CaseIterable {
  case sound
  /// Keeps what it fetches.
  case keeper
  /// Keeps a descriptor of each call that changes an object.
  case opener
  /// Counts one save as done without making it.
  case loser
  /// Loses what one observer was told first.
  case deaf
  /// Moves money without taking it.
  case forger
  /// Leaves a file in the folder of assets.
  case litterer
}

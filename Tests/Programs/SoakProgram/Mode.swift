/// How the program works: correctly, or with one flaw, which its checks must find.
enum Mode: String, Sendable, CaseIterable {
  case sound
  /// Never releases the objects that it fetches.
  case leaksObjects
  /// Opens a descriptor in each call that changes an object, and never closes it.
  case leaksDescriptors
  /// Records one save as acknowledged without making it.
  case losesSave
  /// Ignores one event of an observer.
  case missesEvent
  /// Adds an amount to an account without subtracting it from another.
  case changesSum
  /// Leaves a file in the asset folder.
  case leavesFile
}

/// What another task observes while people are saved.
public enum Observer: Sendable {
  /// Nothing.
  case none
  /// The changes of people.
  case changes
  /// The twenty people with the last primaries, with every value, as they are after each change.
  case lastPeople
}

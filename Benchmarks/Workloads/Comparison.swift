/// How people are compared while they are sorted.
public enum Comparison: Sendable {
  /// With a closure that reads the names of two people.
  case closure
  /// By a key path, if the library has a function for it; otherwise with a closure.
  case property
}

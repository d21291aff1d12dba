/// The durability of a commit.
public enum Durability: String, Codable, Sendable {
  /// The database remains consistent; a power failure can lose the last commits.
  case normal = "NORMAL"
  /// The commit is synced.
  case full = "FULL"
}

/// What a commit promises.
public enum Durability: String, Codable, Sendable {
  /// The database stays whole; the last commits may be lost with the power.
  case normal = "NORMAL"
  /// The commit is on the disk.
  case full = "FULL"
}

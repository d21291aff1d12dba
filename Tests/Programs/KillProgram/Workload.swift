/// What the program does.
package enum Workload: String, Sendable {
  /// Saves and removes objects.
  case calls
  /// Copies the database while objects are saved and removed.
  case backup
  /// Brings a database to the shape of later types.
  case migration
  /// Uses the types of before, also when the database was brought to later ones.
  case older
}

/// What the program does.
package enum Workload: String, Sendable {
  /// Saves and removes objects.
  case calls
  /// Brings a database to the shape of later types.
  case migration
  /// Uses the types of before, also when the database was brought to later ones.
  case older
}

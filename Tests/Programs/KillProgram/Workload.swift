/// What the program does.
package enum Workload: String, Sendable {
  /// Saves and removes objects.
  case calls
  /// Brings a database to the shape of later types.
  case migration
}

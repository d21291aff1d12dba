/// The task of the program.
package enum Workload: String, Sendable {
  /// Saves and removes objects.
  case calls
  /// Copies the database while objects are saved and removed.
  case backup
  /// Exports the database to a folder.
  case export
  /// Imports records into a database, or creates one from an exported folder.
  case importing
  /// Migrates a database to later types.
  case migration
  /// Uses the earlier types before and after another process migrates the database.
  case older
}

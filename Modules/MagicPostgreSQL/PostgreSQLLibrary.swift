import CPostgreSQL

/// The client library of PostgreSQL, libpq.
package enum PostgreSQLLibrary {
  /// Loads the library, unless it is loaded.
  ///
  /// - Throws: ``PostgreSQLError`` if the library is not installed, or is older than version 14,
  ///   which introduced pipelines.
  package static func load() throws(PostgreSQLError) {
    let state = UInt32(bitPattern: magic_load_libpq())
    if state == magic_libpq_not_found.rawValue {
      throw PostgreSQLError(
        .libraryMissing,
        "The client library of PostgreSQL is not installed. Install libpq, version 14 or later.")
    }
    guard state == magic_libpq_loaded.rawValue else {
      throw PostgreSQLError(
        .libraryMissing,
        "The client library of PostgreSQL is too old. Install libpq, version 14 or later.")
    }
  }
}

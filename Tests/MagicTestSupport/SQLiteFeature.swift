import MagicSQLite

/// What SQLite has since a version that is newer than the oldest supported one. Tests that need it
/// run where it is there:
///
///     @Test(.enabled(if: SQLiteFeature.returning.isThere, "RETURNING needs SQLite 3.35."))
package enum SQLiteFeature: Sendable {
  case dropColumn, returning

  package var isThere: Bool { SQLiteLibrary.current.version >= version }

  private var version: Int32 {
    switch self {
    case .dropColumn, .returning: 3_035_000
    }
  }
}

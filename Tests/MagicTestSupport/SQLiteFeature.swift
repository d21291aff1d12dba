import MagicSQLite

/// Features of SQLite that the oldest supported version does not have. Tests that need one run only
/// if it is available:
///
///     @Test(.enabled(if: SQLiteFeature.returning.isThere, "RETURNING needs SQLite 3.35."))
package enum SQLiteFeature: Sendable {
  case dropColumn, returning, trigrams

  package var isThere: Bool { SQLiteLibrary.current.version >= version }

  private var version: Int32 {
    switch self {
    case .dropColumn, .returning: 3_035_000
    case .trigrams: 3_034_000
    }
  }
}

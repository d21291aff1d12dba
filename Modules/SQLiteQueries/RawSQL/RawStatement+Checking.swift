import MagicEngine
import MagicSchema
import MagicSQLText

extension RawStatement {
  /// Checks the statement for errors that do not depend on the database.
  ///
  /// - Throws: `MagicError`.
  func check() throws {
    if let mistake { throw mistake }
    let keyword = StatementKeyword.first(of: text, dialect: .sqlite)
    guard !StatementKeyword.isForbidden(keyword) else {
      throw MagicError.invalidSQL(
        "\(keyword) is not allowed in raw SQL: \(Self.reason(against: keyword)).")
    }
  }

  private static func reason(against keyword: String) -> String {
    switch keyword {
    case "PRAGMA":
      "the library manages the settings; to read one, select from the function pragma_…"
    case "ATTACH", "DETACH": "the library shares its connections"
    case "VACUUM":
      "the library shares its connections; to return free space, call compact, or make a backup "
        + "with compacting: true"
    default: "use transaction { } to run a transaction"
    }
  }
}

import MagicEngine
import MagicSchema

extension RawStatement {
  /// Refuses what is wrong whatever the database is.
  ///
  /// - Throws: `MagicError`.
  func check() throws {
    if let mistake { throw mistake }
    let keyword = StatementKeyword.first(of: text)
    guard !StatementKeyword.isRefused(keyword) else {
      throw MagicError.invalidSQL("\(keyword) is not for raw SQL: \(Self.instead(of: keyword)).")
    }
  }

  private static func instead(of keyword: String) -> String {
    switch keyword {
    case "PRAGMA": "the settings are the library's; the functions named pragma_… can be read"
    case "ATTACH", "DETACH", "VACUUM": "the connections are shared"
    default: "transactions are made with transaction { }"
    }
  }
}

package import MagicSchema
import MagicSQLite

extension MagicCollation {
  /// The name of the collation in SQL. The current locale is resolved before.
  package var sqliteName: String {
    switch kind {
    case .caseInsensitive: "NOCASE"
    case .locale(let identifier): SQLiteConnection.localizedCollation(identifier)
    case .currentLocale: TableSQL.binary
    }
  }

  /// - Returns: nil for a collation that is not the library's, and for that of bytes.
  package init?(sqliteName name: String) {
    let prefix = SQLiteConnection.localizedCollation("")
    if name.isName(Self.caseInsensitive.sqliteName) {
      self = .caseInsensitive
    } else if name.hasPrefix(prefix) {
      self = .localized(String(name.dropFirst(prefix.count)))
    } else {
      return nil
    }
  }

  /// The name of the collation as SQL writes it.
  package var sql: String { Self.sql(named: sqliteName) }

  /// Returns the name of a collation in SQLite as SQL writes it.
  package static func sql(named name: String) -> String {
    name == caseInsensitive.sqliteName ? name : name.quoted
  }
}

extension TableSQL {
  /// The collation of a column without one of its own.
  package static let binary = "BINARY"
}

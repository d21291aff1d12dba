/// The first keywords of a statement, after white space and comments.
package enum StatementKeyword {
  /// Returns the first keyword in upper case; "" if there is none.
  package static func first(of sql: String, dialect: SQLDialect) -> String {
    var words = Reader(sql, dialect)
    return words.next()
  }

  /// A reader of the first keywords of a statement.
  package struct Reader {
    private var rest: Substring.UTF8View
    private let dialect: SQLDialect
    /// The start of the last keyword that was read.
    package private(set) var start: String.Index
    /// The end of the last keyword that was read.
    package var end: String.Index { rest.startIndex }

    package init(_ sql: String, _ dialect: SQLDialect) {
      self.dialect = dialect
      rest = Substring(sql).utf8
      start = rest.startIndex
    }

    /// Returns the next keyword in upper case; "" if there is none.
    package mutating func next() -> String {
      skipWhitespace(&rest, dialect)
      start = rest.startIndex
      let word = rest.prefix { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      }
      rest = rest[word.endIndex...]
      return String(decoding: word, as: UTF8.self).uppercased()
    }
  }

  /// Returns whether raw SQL must not contain statements of this kind, because they end the
  /// library's transactions or change the settings of its connections.
  package static func isForbidden(_ keyword: String) -> Bool {
    switch keyword {
    case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ATTACH", "DETACH", "VACUUM",
      "PRAGMA":
      true
    default: false
    }
  }

  /// Returns whether a statement of SQLite creates a trigger.
  package static func createsTrigger(_ sql: String) -> Bool {
    var words = Reader(sql, .sqlite)
    guard words.next() == "CREATE" else { return false }
    let word = words.next()
    return (["TEMP", "TEMPORARY"].contains(word) ? words.next() : word) == "TRIGGER"
  }

  /// Returns whether SQLite counts the rows that statements of this kind change.
  package static func changesRows(_ keyword: String) -> Bool {
    switch keyword {
    case "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH": true
    default: false
    }
  }

  /// Skips white space and comments. SQLite also ignores empty statements and a byte order mark.
  private static func skipWhitespace(_ rest: inout Substring.UTF8View, _ dialect: SQLDialect) {
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: ";"), 9, 10, 12, 13, 0xEF, 0xBB, 0xBF:
        rest.removeFirst()
      case UInt8(ascii: "-") where rest.starts(with: [byte, byte]):
        rest = rest.drop { $0 != 10 }
      case UInt8(ascii: "/") where rest.starts(with: [byte, UInt8(ascii: "*")]):
        SQLComment.removeFirst(from: &rest, dialect)
      default: return
      }
    }
  }
}

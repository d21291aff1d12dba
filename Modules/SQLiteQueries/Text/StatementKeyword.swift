/// What a statement begins with, behind white space and comments.
enum StatementKeyword {
  /// The first word in capitals; "" where there is none.
  static func first(of sql: String) -> String {
    var words = Reader(sql)
    return words.next()
  }

  /// Reads the keywords that a statement begins with.
  struct Reader {
    private var rest: Substring.UTF8View
    /// Where the word that was read last begins.
    private(set) var start: String.Index
    /// What is behind that word.
    var end: String.Index { rest.startIndex }

    init(_ sql: String) {
      rest = Substring(sql).utf8
      start = rest.startIndex
    }

    /// The next word in capitals; "" where there is none.
    mutating func next() -> String {
      skipBlanks(&rest)
      start = rest.startIndex
      let word = rest.prefix { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      }
      rest = rest[word.endIndex...]
      return String(decoding: word, as: UTF8.self).uppercased()
    }
  }

  /// Whether statements of this kind belong to the library: they would end its transactions, or
  /// change the settings of its connections.
  static func isRefused(_ keyword: String) -> Bool {
    switch keyword {
    case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ATTACH", "DETACH", "VACUUM",
      "PRAGMA":
      true
    default: false
    }
  }

  /// Whether a statement makes a trigger.
  static func makesTrigger(_ sql: String) -> Bool {
    var words = Reader(sql)
    guard words.next() == "CREATE" else { return false }
    let word = words.next()
    return (["TEMP", "TEMPORARY"].contains(word) ? words.next() : word) == "TRIGGER"
  }

  /// Whether SQLite counts the rows that statements of this kind change.
  static func changesRows(_ keyword: String) -> Bool {
    switch keyword {
    case "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH": true
    default: false
    }
  }

  /// SQLite passes over empty statements and a byte order mark as well.
  private static func skipBlanks(_ rest: inout Substring.UTF8View) {
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: ";"), 9, 10, 12, 13, 0xEF, 0xBB, 0xBF:
        rest.removeFirst()
      case UInt8(ascii: "-") where rest.starts(with: [byte, byte]):
        rest = rest.drop { $0 != 10 }
      case UInt8(ascii: "/") where rest.starts(with: [byte, UInt8(ascii: "*")]):
        rest.removeFirst(2)
        while !rest.isEmpty, !rest.starts(with: [UInt8(ascii: "*"), UInt8(ascii: "/")]) {
          rest.removeFirst()
        }
        rest = rest.dropFirst(2)
      default: return
      }
    }
  }
}

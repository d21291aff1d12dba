import Foundation
import MagicEngine
import MagicSQLText
import MagicSchema

/// The text of a raw statement for PostgreSQL, with numbered parameters.
struct NumberedStatement {
  let sql: String
  /// The argument of each parameter.
  let arguments: [RawArgument]

  /// - Throws: `MagicError` with `.invalidQuery` if parameters and values do not match.
  init(_ text: String, _ statement: RawStatement) throws {
    let bytes = Array(text.utf8)
    var positional = statement.arguments[...]
    var numbers: [String: Int] = [:]
    var arguments: [RawArgument] = []
    var missing = 0
    var sql: [UInt8] = []
    var end = 0
    let tokens = SQLToken.located(in: text)
    for (index, (token, range)) in tokens.enumerated() {
      let word = String(decoding: bytes[range], as: UTF8.self)
      guard token == .value, let first = word.first, "?:@$".contains(first),
        !Self.isOperator(index, word, tokens, bytes)
      else { continue }
      let number: Int
      if word == "?" {
        guard let argument = positional.popFirst() else {
          missing += 1
          continue
        }
        arguments.append(argument)
        number = arguments.count
      } else {
        let name = String(word.dropFirst())
        guard let argument = statement.named[name] else {
          throw MagicError.invalidSQL(
            "The parameter \(word) of the SQL has no value. Set it with bind(\"\(name)\", to: …).")
        }
        if numbers[name] == nil {
          arguments.append(argument)
          numbers[name] = arguments.count
        }
        number = numbers[name] ?? 0
      }
      sql += bytes[end..<range.lowerBound]
      sql += Array("$\(number)".utf8)
      end = range.upperBound
    }
    guard missing == 0, positional.isEmpty else {
      throw MagicError.invalidSQL(
        "The SQL has \(statement.arguments.count - positional.count + missing) parameters without a "
          + "name, but \(statement.arguments.count) values were interpolated. Interpolate each value "
          + "outside quotes and comments.")
    }
    if let name = statement.named.keys.filter({ numbers[$0] == nil }).min() {
      throw MagicError.noParameter(name)
    }
    sql += bytes[end...]
    self.sql = String(decoding: sql, as: UTF8.self)
    self.arguments = arguments
  }

  /// Whether a token is a part of an operator of PostgreSQL: a cast such as `::text`, or `@>`.
  private static func isOperator(
    _ index: Int, _ word: String, _ tokens: [(token: SQLToken, range: Range<Int>)], _ bytes: [UInt8]
  ) -> Bool {
    if word != "?", word.utf8.count == 1 { return true }
    guard word.first == ":", index > 0 else { return false }
    let previous = tokens[index - 1].range
    return previous.upperBound == tokens[index].range.lowerBound
      && bytes[previous.upperBound - 1] == UInt8(ascii: ":")
  }
}

extension RawStatement {
  /// Checks the statement for errors that do not depend on the database.
  ///
  /// - Throws: `MagicError`.
  func checkForPostgreSQL() throws {
    if let mistake { throw mistake }
    let keyword = StatementKeyword.first(of: text)
    switch keyword {
    case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE":
      throw refused(keyword, "use transaction { } to run a transaction")
    case "SET", "RESET": throw refused(keyword, Self.setsInConnectionString)
    case "PREPARE", "EXECUTE", "DEALLOCATE", "DISCARD", "LISTEN", "UNLISTEN", "LOAD", "DECLARE",
      "FETCH", "MOVE", "CLOSE":
      throw refused(keyword, "the library shares its connections")
    case "COPY": throw refused(keyword, "use update(contentsOf:), or another client")
    case "VACUUM", "CLUSTER", "CHECKPOINT":
      throw refused(keyword, "it runs outside of transactions; use another client")
    default: break
    }
    guard !callsSetConfig else { throw refused("set_config()", Self.setsInConnectionString) }
  }

  private static let setsInConnectionString =
    "other calls would use the connection with the setting; set it in the connection string, for "
    + "example options='-c statement_timeout=5s'"

  /// Whether the text calls the function that changes settings of the connection.
  private var callsSetConfig: Bool {
    guard text.range(of: "set_config", options: .caseInsensitive) != nil else { return false }
    let tokens = SQLToken.all(of: text)
    return zip(tokens, tokens.dropFirst()).contains { token, next in
      next == .symbol("(")
        && (token.keyword == "SET_CONFIG" || token == .name("set_config"))
    }
  }

  private func refused(_ keyword: String, _ reason: String) -> MagicError {
    .invalidSQL("\(keyword) is not allowed in raw SQL: \(reason).")
  }

  /// Whether the statement changes rows whose number the server reports.
  var changesRows: Bool {
    switch StatementKeyword.first(of: text) {
    case "INSERT", "UPDATE", "DELETE", "MERGE": true
    case "WITH": WithClause.InsertionPoint(in: text) == nil
    default: false
    }
  }
}

import Foundation
package import MagicPostgreSQL
package import MagicRequests
package import MagicSQLText
import MagicSchema

/// A raw statement for PostgreSQL, with numbered parameters.
package struct NumberedStatement {
  /// The argument of each parameter.
  package private(set) var arguments: [RawArgument] = []
  /// The number of each parameter, from 1, after the text before it.
  private var parts: [(text: String, number: Int)] = []
  /// The text after the last parameter.
  private let rest: String

  /// - Throws: `MagicError` with `.invalidQuery` if parameters and values do not match.
  package init(_ text: String, _ statement: RawStatement) throws {
    let bytes = Array(text.utf8)
    var positional = statement.arguments[...]
    var numbers: [String: Int] = [:]
    var missing = 0
    var end = 0
    for parameter in SQLParameter.all(in: text) {
      if let name = parameter.name {
        guard let argument = statement.named[name] else {
          throw MagicError.invalidSQL(
            "The parameter \(parameter.text) of the SQL has no value. Set it with "
              + "bind(\"\(name)\", to: …).")
        }
        if numbers[name] == nil {
          arguments.append(argument)
          numbers[name] = arguments.count
        }
      } else if let argument = positional.popFirst() {
        arguments.append(argument)
      } else {
        missing += 1
      }
      let number = parameter.name.flatMap { numbers[$0] } ?? arguments.count
      let before = bytes[end..<parameter.range.lowerBound]
      parts.append((String(decoding: before, as: UTF8.self), number))
      end = parameter.range.upperBound
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
    rest = String(decoding: bytes[end...], as: UTF8.self)
  }

  /// Returns the SQL. NULL is a part of it instead of a parameter: a parameter has one type in all its
  /// places, and PostgreSQL refuses more statements with a parameter of no known type than with NULL.
  ///
  /// - Parameter types: the types of the arguments; nil for NULL.
  package func sql(_ types: [PostgreSQLType?]) -> String {
    parts.map { $0.text + (types[$0.number - 1] == nil ? "NULL" : "$\($0.number)") }.joined() + rest
  }
}

extension RawStatement {
  /// Checks the statement for errors that do not depend on the database.
  ///
  /// - Throws: `MagicError`.
  package func checkForPostgreSQL() throws {
    if let mistake { throw mistake }
    let keyword = StatementKeyword.first(of: text, dialect: .postgreSQL)
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
    let tokens = tokensOfPostgreSQL
    return zip(tokens, tokens.dropFirst()).contains { token, next in
      next == .symbol("(")
        && (token.keyword == "SET_CONFIG" || token == .name("set_config"))
    }
  }

  /// The tokens of the statement, and for DO those of the texts in dollar quotes, which it runs.
  package var tokensOfPostgreSQL: [SQLToken] {
    let isBlock = StatementKeyword.first(of: text, dialect: .postgreSQL) == "DO"
    let dollar = UInt8(ascii: "$")
    var (tokens, texts): ([SQLToken], [String]) = ([], [text])
    while let text = texts.popLast() {
      let bytes = Array(text.utf8)
      for (token, range) in SQLToken.located(in: text, dialect: .postgreSQL) {
        if isBlock, token == .value, bytes[range.lowerBound] == dollar {
          let body = bytes[range].dropFirst().drop { $0 != dollar }.dropFirst()
          texts.append(String(decoding: body, as: UTF8.self))
        } else {
          tokens.append(token)
        }
      }
    }
    return tokens
  }

  private func refused(_ keyword: String, _ reason: String) -> MagicError {
    .invalidSQL("\(keyword) is not allowed in raw SQL: \(reason).")
  }

  /// Whether the statement changes rows whose number the server reports.
  package var changesRows: Bool {
    switch StatementKeyword.first(of: text, dialect: .postgreSQL) {
    case "INSERT", "UPDATE", "DELETE", "MERGE": true
    case "WITH": WithClause.InsertionPoint(in: text, dialect: .postgreSQL) == nil
    default: false
    }
  }
}

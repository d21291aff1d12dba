package import MagicRequests
import MagicSchema

extension RawStatement {
  /// Returns the statements of a script, with their arguments.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` if there is no statement, or no parameter for a
  ///   named argument.
  package func statements(dialect: SQLDialect) throws -> [RawStatement] {
    var statements: [RawStatement] = []
    var current = ScriptPart()
    var nextArgument = 0
    var unused = Set(named.keys)
    let bytes = Array(text.utf8)

    func end(at offset: Int) {
      defer { current = ScriptPart() }
      guard let start = current.start else { return }
      let arguments = nextArgument..<min(nextArgument + current.parameters, self.arguments.count)
      nextArgument = arguments.upperBound
      unused.subtract(current.names)
      statements.append(part(start..<offset, arguments: arguments, named: current.names))
    }

    for (token, range) in SQLToken.located(in: text, dialect: dialect) {
      if token == .symbol(";"), current.isComplete {
        end(at: range.lowerBound)
      } else {
        current.append(token, String(decoding: bytes[range], as: UTF8.self), at: range.lowerBound)
      }
    }
    end(at: bytes.count)
    guard nextArgument == arguments.count else {
      throw MagicError.invalidSQL(
        "The script has \(nextArgument) parameters, but \(arguments.count) values were "
          + "interpolated. Interpolate each value outside quotes and comments.")
    }
    if let name = unused.min() { throw MagicError.noParameter(name) }
    guard !statements.isEmpty else {
      throw MagicError.invalidSQL("The script contains no statement.")
    }
    return statements
  }
}

/// A statement of a script while its tokens are read.
private struct ScriptPart {
  /// The offset of the first token; nil if there is none.
  private(set) var start: Int?
  /// The number of parameters without a name.
  private(set) var parameters = 0
  /// The names of the parameters.
  private(set) var names: Set<String> = []
  private var words: [String] = []
  private var last: [SQLToken] = []

  /// Whether a semicolon ends the statement. The statements of a trigger end with semicolons, so a
  /// trigger ends only after `; END`.
  var isComplete: Bool {
    guard words.first == "CREATE", words.contains("TRIGGER") else { return true }
    return last.count == 2 && last[0] == .symbol(";") && last[1].keyword == "END"
  }

  mutating func append(_ token: SQLToken, _ text: String, at offset: Int) {
    if start == nil { start = offset }
    if token == .parameter {
      if text == "?" { parameters += 1 }
      if text.first != "?" { names.insert(String(text.dropFirst())) }
    }
    if words.count < 3, let keyword = token.keyword { words.append(keyword) }
    last = last.suffix(1) + [token]
  }
}

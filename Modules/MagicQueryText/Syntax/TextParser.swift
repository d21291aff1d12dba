import MagicEngine

/// Parses a text.
struct TextParser {
  /// The maximum number of levels of an expression, which later passes walk recursively.
  static let depthLimit = 64
  /// The maximum number of recursive calls of the parser. A level of a printed expression needs two:
  /// one for its operator, and one for parentheses.
  static let nestingLimit = 2 * depthLimit

  private let tokens: [TextToken]
  private var index = 0
  var arguments: TextArguments
  /// The variables of the enclosing subqueries.
  var variables: [String] = []

  init(_ text: String, _ arguments: TextArguments) throws {
    tokens = try TextLexer.tokens(of: text)
    self.arguments = arguments
  }

  /// Parses the whole text as one expression.
  mutating func predicate() throws -> TextNode {
    guard tokens.count > 1 else { throw TextMistake("The text is empty.", at: 0) }
    let node = try expression(.or, 1)
    guard current.form == .end else {
      throw TextMistake("An operator is missing.", at: current.position)
    }
    try arguments.checkAllUsed()
    return node
  }

  /// Parses the whole text as a list of sort terms.
  mutating func sortTerms() throws -> [(node: TextNode, isDescending: Bool)] {
    guard tokens.count > 1 else { throw TextMistake("The text is empty.", at: 0) }
    var terms: [(TextNode, Bool)] = []
    repeat {
      let node = try expression(.sum, 1)
      let isDescending = take(.desc)
      if !isDescending { _ = take(.asc) }
      terms.append((node, isDescending))
    } while take(",")
    guard current.form == .end else {
      throw TextMistake("A comma is missing.", at: current.position)
    }
    return terms
  }

  // MARK: Tokens

  var current: TextToken { tokens[index] }
  var following: TextToken { tokens[min(index + 1, tokens.count - 1)] }

  mutating func advance() { index = min(index + 1, tokens.count - 1) }

  mutating func take(_ symbol: String) -> Bool {
    guard current.form == .symbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func take(_ keyword: TextKeyword) -> Bool {
    guard currentKeyword == keyword else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String) throws {
    guard take(symbol) else {
      throw TextMistake("\(symbol) is missing.", at: current.position)
    }
  }

  var currentKeyword: TextKeyword? {
    if case .word(let word) = current.form { TextKeyword(word) } else { nil }
  }

  mutating func followingArgument(_ letter: Character, at position: Int) throws -> TextConstant {
    try arguments.following(letter, at: position)
  }

  mutating func argument(_ index: Int, at position: Int) throws -> TextConstant {
    try arguments.argument(index, at: position)
  }

  // MARK: Expressions

  enum Precedence: Int, Comparable {
    case or, and, relation, sum, product, unary

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    var next: Self { Self(rawValue: rawValue + 1) ?? .unary }
  }

  private enum Infix {
    case and, or
    case arithmetic(ArithmeticOperator)
    case relation(TextRelation.Kind)

    var precedence: Precedence {
      switch self {
      case .or: .or
      case .and: .and
      case .relation: .relation
      case .arithmetic(.add), .arithmetic(.subtract): .sum
      case .arithmetic: .product
      }
    }
  }

  /// Parses an expression whose operators bind at least as strongly as a precedence.
  mutating func expression(_ lowest: Precedence, _ level: Int) throws -> TextNode {
    guard level <= Self.nestingLimit else { throw tooDeep(at: current.position) }
    // Parentheses are parsed here, so that each needs the stack of one function only.
    var left: TextNode
    if take("(") {
      left = try expression(.or, level + 1)
      try expect(")")
    } else {
      left = try operand(level)
    }
    while let infix = currentInfix, infix.precedence >= lowest {
      left = try operation(infix, left, level)
    }
    return left
  }

  /// Parses an operator and the operands on its right.
  @inline(never)
  private mutating func operation(
    _ infix: Infix, _ left: TextNode, _ level: Int
  ) throws -> TextNode {
    let position = current.position
    switch infix {
    case .and: return try chain(left, infix.precedence, level) { .and($0) }
    case .or: return try chain(left, infix.precedence, level) { .or($0) }
    case .arithmetic(let operation):
      advance()
      let right = try expression(infix.precedence.next, level + 1)
      return try node(.arithmetic(operation, left, right), left.position, left, right)
    case .relation(let kind):
      advance()
      let relation = TextRelation(
        kind: kind, ignoresCase: try ignoresCase(), position: position)
      let right = try expression(infix.precedence.next, level + 1)
      return try node(.comparison(relation, left, right), left.position, left, right)
    }
  }

  /// Parses the other operands of a chain of the same operator, which is one level.
  private mutating func chain(
    _ first: TextNode, _ precedence: Precedence, _ level: Int, _ form: ([TextNode]) -> TextNode.Form
  ) throws -> TextNode {
    var operands = [first]
    while let infix = currentInfix, infix.precedence == precedence {
      advance()
      operands.append(try expression(precedence.next, level + 1))
    }
    let depth = operands.map(\.depth).max() ?? 0
    return try node(form(operands), first.position, depth: depth + 1)
  }

  func node(_ form: TextNode.Form, _ position: Int, _ operands: TextNode...) throws -> TextNode {
    try node(form, position, depth: (operands.map(\.depth).max() ?? 0) + 1)
  }

  func node(_ form: TextNode.Form, _ position: Int, depth: Int) throws -> TextNode {
    guard depth <= Self.depthLimit else { throw tooDeep(at: position) }
    return TextNode(form: form, position: position, depth: depth)
  }

  private func tooDeep(at position: Int) -> TextMistake {
    TextMistake(
      "The text is nested too deeply. At most \(Self.depthLimit) levels are possible.",
      at: position)
  }

  private var currentInfix: Infix? {
    switch current.form {
    case .symbol(let symbol):
      switch symbol {
      case "&&": .and
      case "||": .or
      case "=", "==": .relation(.order(.equal))
      case "!=", "<>": .relation(.order(.notEqual))
      case "<": .relation(.order(.less))
      case "<=", "=<": .relation(.order(.lessOrEqual))
      case ">": .relation(.order(.greater))
      case ">=", "=>": .relation(.order(.greaterOrEqual))
      case "+": .arithmetic(.add)
      case "-": .arithmetic(.subtract)
      case "*": .arithmetic(.multiply)
      case "/": .arithmetic(.divide)
      default: nil
      }
    case .word:
      switch currentKeyword {
      case .and: .and
      case .or: .or
      case .isIn: .relation(.isIn)
      case .between: .relation(.between)
      case .contains: .relation(.contains)
      case .beginswith: .relation(.beginsWith)
      case .endswith: .relation(.endsWith)
      case .like: .relation(.like)
      case .matches: .relation(.matches)
      default: nil
      }
    default: nil
    }
  }

  /// Parses the options of an operator: `[c]`.
  private mutating func ignoresCase() throws -> Bool {
    guard take("[") else { return false }
    let position = current.position
    guard case .word(let options) = current.form else {
      throw TextMistake("After [ there is no option. Write [c].", at: position)
    }
    advance()
    try expect("]")
    guard options.lowercased() == "c" else {
      throw TextMistake(
        options.lowercased().contains("d")
          ? "The database cannot ignore diacritics. Only the option [c] is possible."
          : "The option is unknown. Only the option [c] is possible.", at: position)
    }
    return true
  }
}

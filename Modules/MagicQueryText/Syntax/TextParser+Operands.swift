import Foundation
import MagicEngine

/// The operands of operators.
extension TextParser {
  mutating func operand(_ level: Int) throws -> TextNode {
    let token = current
    let position = token.position
    switch token.form {
    case .text(let text): return try constant(.text(text))
    case .number(let digits): return try constant(.number(digits))
    case .indexed(let index): return try constant(try argument(index, at: position))
    case .named(let name): return try variable(name)
    case .format("K"): return try keyPath()
    case .format(let letter): return try constant(try followingArgument(letter, at: position))
    case .name(let name):
      advance()
      return try path(TextPath(names: [(name, position)]), position)
    case .word(let word): return try self.word(word, level)
    case .symbol(let symbol): return try self.symbol(symbol, level)
    case .function, .end: throw TextMistake("An operand is missing.", at: position)
    }
  }

  private mutating func constant(_ constant: TextConstant) throws -> TextNode {
    let position = current.position
    advance()
    return try node(.constant(constant), position)
  }

  private mutating func symbol(_ symbol: String, _ level: Int) throws -> TextNode {
    let position = current.position
    switch symbol {
    case "{":
      advance()
      return try list(position, level)
    case "!":
      advance()
      let operand = try expression(.relation, level + 1)
      return try node(.not(operand), position, operand)
    case "-":
      advance()
      if case .number(let digits) = current.form {
        advance()
        return try node(.constant(.number("-" + digits)), position)
      }
      let operand = try expression(.unary, level + 1)
      return try node(.negative(operand), position, operand)
    default: throw TextMistake("An operand is missing.", at: position)
    }
  }

  private mutating func list(_ position: Int, _ level: Int) throws -> TextNode {
    var elements: [TextNode] = []
    if !take("}") {
      repeat { elements.append(try expression(.sum, level + 2)) } while take(",")
      try expect("}")
    }
    return try node(
      .list(elements), position, depth: (elements.map(\.depth).max() ?? 0) + 1)
  }

  private mutating func word(_ word: String, _ level: Int) throws -> TextNode {
    let position = current.position
    switch TextKeyword(word) {
    case .not:
      advance()
      let operand = try expression(.relation, level + 1)
      return try node(.not(operand), position, operand)
    case .anyOf, .someOf: return try quantified(.any, level)
    case .allOf: return try quantified(.all, level)
    case .noneOf: return try quantified(.no, level)
    case .null, .nilValue: return try constant(.null)
    case .trueValue, .yes, .truepredicate: return try constant(.bool(true))
    case .falseValue, .no, .falsepredicate: return try constant(.bool(false))
    case .subquery: return try subquery(level)
    case .cast: return try cast()
    case .object:
      throw TextMistake(
        "SELF is not possible. Compare a property, such as the primary.", at: position)
    case .and, .or, .isIn, .between, .contains, .beginswith, .endswith, .like, .matches, .asc,
      .desc:
      throw TextMistake(
        "An operand is missing. If this is the name of a property, write # before it.",
        at: position)
    case nil: break
    }
    advance()
    if current.form == .symbol("(") { return try function(word, position, level) }
    return try path(TextPath(names: [(word, position)]), position)
  }

  private mutating func quantified(
    _ quantifier: TextQuantifier, _ level: Int
  ) throws -> TextNode {
    let position = current.position
    advance()
    let comparison = try expression(.relation, level + 2)
    return try node(.quantified(quantifier, comparison), position, comparison)
  }

  private mutating func function(
    _ name: String, _ position: Int, _ level: Int
  ) throws -> TextNode {
    let function: TextFunction
    switch name.lowercased() {
    case "lowercase": function = .lowercased
    case "uppercase": function = .uppercased
    case "asciilowercase": function = .asciiLowercased
    default:
      throw TextMistake(
        "There is no such function. There are lowercase, uppercase and asciilowercase.",
        at: position)
    }
    try expect("(")
    let operand = try expression(.sum, level + 2)
    try expect(")")
    return try node(.function(function, operand), position, operand)
  }

  /// Parses `CAST(seconds, "NSDate")`, a date.
  private mutating func cast() throws -> TextNode {
    let position = current.position
    advance()
    try expect("(")
    let sign = take("-") ? "-" : ""
    guard case .number(let digits) = current.form, let seconds = Double(sign + digits) else {
      throw TextMistake("CAST needs a number of seconds.", at: current.position)
    }
    advance()
    try expect(",")
    guard case .text("NSDate") = current.form else {
      throw TextMistake("CAST needs \"NSDate\".", at: current.position)
    }
    advance()
    try expect(")")
    return try node(
      .constant(.argument(Date(timeIntervalSinceReferenceDate: seconds))), position)
  }
}

/// Paths and subqueries.
extension TextParser {
  /// Parses the names that follow a first name.
  private mutating func path(_ start: TextPath, _ position: Int) throws -> TextNode {
    try node(.path(try completed(start)), position)
  }

  private mutating func completed(_ start: TextPath) throws -> TextPath {
    var path = start
    while !path.isCount, take(".") {
      let position = current.position
      switch current.form {
      case .word(let name), .name(let name): path.names.append((name, position))
      case .function(let name):
        guard name.lowercased() == "count" else {
          throw TextMistake("Of a collection only @count is possible.", at: position)
        }
        path.isCount = true
      default: throw TextMistake("The name of a property is missing.", at: position)
      }
      advance()
    }
    return path
  }

  /// Parses `$name`: an argument, or the variable of a subquery.
  private mutating func variable(_ name: String) throws -> TextNode {
    let position = current.position
    guard variables.contains(name) else {
      return try constant(try arguments.argument(name, at: position))
    }
    advance()
    return try path(TextPath(variable: name), position)
  }

  /// Parses `%K`, whose argument contains the names.
  private mutating func keyPath() throws -> TextNode {
    let position = current.position
    guard let names = try followingArgument("K", at: position).name else {
      throw TextMistake("The argument for %K is not a text.", at: position)
    }
    var parts = names.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var path = TextPath()
    if parts.count > 1, parts.last?.lowercased() == "@count" {
      parts.removeLast()
      path.isCount = true
    }
    guard parts.count <= 64, parts.allSatisfy(\.isName) else {
      throw TextMistake("The argument for %K is not a path of properties.", at: position)
    }
    path.names = parts.map { ($0, position) }
    advance()
    return try self.path(path, position)
  }

  /// Parses `SUBQUERY(path, $variable, condition).@count`.
  private mutating func subquery(_ level: Int) throws -> TextNode {
    let position = current.position
    advance()
    try expect("(")
    guard case .path(let collection) = try operand(level).form, !collection.isCount else {
      throw TextMistake("SUBQUERY needs a collection.", at: position)
    }
    try expect(",")
    guard case .named(let name) = current.form, !variables.contains(name) else {
      throw TextMistake("SUBQUERY needs a variable, such as $x.", at: current.position)
    }
    advance()
    try expect(",")
    variables.append(name)
    let condition = try expression(.or, level + 2)
    variables.removeLast()
    try expect(")")
    guard take("."), case .function(let function) = current.form,
      function.lowercased() == "count"
    else {
      throw TextMistake("After SUBQUERY only .@count is possible.", at: current.position)
    }
    advance()
    return try node(
      .subquery(collection, variable: name, condition), position, condition)
  }
}

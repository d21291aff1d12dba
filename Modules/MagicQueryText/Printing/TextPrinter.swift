import MagicEngine
import MagicSchema
import Magical

/// Prints expressions as texts.
struct TextPrinter {
  enum Mode {
    /// Values are parts of the text. If it is not exact, a value without a text form is in angle
    /// brackets.
    case literals(areExact: Bool)
    /// Values are arguments.
    case arguments
  }

  /// A row that columns belong to.
  struct Row {
    let id: RowScopeID
    let schema: ObjectSchema
    /// What precedes the names of properties.
    let prefix: String
  }

  /// A printed expression.
  struct Term {
    let text: String
    let level: Level

    init(_ text: String, _ level: Level = .atom) {
      self.text = text
      self.level = level
    }

    /// Returns the text, in parentheses unless its operator binds more strongly than a level.
    func above(_ level: Level) -> String { self.level > level ? text : "(\(text))" }
  }

  enum Level: Int, Comparable {
    case or, and, relation, sum, product, atom

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  let mode: Mode
  var rows: [Row]
  private var values: ArraySlice<QueryValue>
  private(set) var arguments: [QueryValue] = []
  /// The property that was printed last, which the next value is compared with.
  var property: (type: String, name: String)?

  static func text<Model: MagicObject>(
    of expression: QueryExpression, for type: Model.Type, _ mode: Mode
  ) throws -> (text: String, arguments: [QueryValue]) {
    if let error = expression.error { throw error }
    let row = Row(id: .root, schema: try ObjectSchema.of(type), prefix: "")
    var printer = TextPrinter(mode: mode, rows: [row], values: expression.values[...])
    let term = try printer.term(expression.tree, as: Bool.self)
    return (term.text, printer.arguments)
  }

  private init(mode: Mode, rows: [Row], values: ArraySlice<QueryValue>) {
    self.mode = mode
    self.rows = rows
    self.values = values
  }

  static var unprintable: MagicError {
    MagicError(.invalidQuery, "A part of the predicate has no text form.")
  }

  private var objectMistake: MagicError {
    guard let (type, name) = property else { return Self.unprintable }
    return MagicError(
      .invalidQuery,
      "The predicate compares \(type).\(name) with an object, which has no text form. Compare the "
        + "primary value of the object instead.", type: type, property: name)
  }

  // MARK: Values

  mutating func nextValue() throws -> QueryValue {
    guard let value = values.popFirst() else { throw Self.unprintable }
    return value
  }

  /// Prints the next value as a value of a type.
  mutating func value(as type: (any Magical.Type)?) throws -> String {
    try print(try nextValue(), as: type)
  }

  mutating func print(_ value: QueryValue, as type: (any Magical.Type)?) throws -> String {
    guard case .literals(let areExact) = mode else {
      if case .object = value { throw objectMistake }
      if case .list(let elements) = value {
        for case .object in elements { throw objectMistake }
      }
      arguments.append(value)
      return "$\(arguments.count - 1)"
    }
    if case .list(let elements) = value {
      var texts: [String] = []
      for element in elements { texts.append(try print(element, as: type)) }
      return "{\(texts.joined(separator: ", "))}"
    }
    if let literal = TextLiteral.of(value, as: type) { return literal }
    if case .object = value {
      guard !areExact else { throw objectMistake }
      return "<object>"
    }
    guard !areExact else { throw Self.unprintable }
    return "<data>"
  }

  // MARK: Expressions

  /// Prints an expression.
  ///
  /// - Parameter type: The type of the value if the expression is a constant.
  mutating func term(_ tree: ExpressionTree, as type: (any Magical.Type)? = nil) throws -> Term {
    switch tree {
    case .column(let path):
      let column = try column(path)
      property = column.place
      return Term(column.text)
    case .value: return Term(try value(as: type))
    case .null: return Term("nil")
    case .and(let operands): return try chain(operands, " AND ", .and)
    case .or(let operands): return try chain(operands, " OR ", .or)
    case .not(let operand): return try not(operand)
    case .isNull(let operand):
      return Term("\(try term(operand).above(.relation)) == nil", .relation)
    case .isNotNull(let operand):
      return Term("\(try term(operand).above(.relation)) != nil", .relation)
    case .comparison(.equal, .function(.jsonCount, let operands), .value):
      return try isEmpty(operands)
    case .comparison(let comparison, let left, let right):
      let type = self.type(of: left) ?? self.type(of: right)
      let text = try term(left, as: type).above(.relation)
      return Term(
        "\(text) \(comparison.sign) \(try term(right, as: type).above(.relation))", .relation)
    case .arithmetic(let operation, let left, let right):
      return try arithmetic(operation, left, right)
    case .negative(let operand):
      let term = try term(operand)
      if case .column = operand { return Term("-\(term.text)") }
      return Term("-(\(term.text))")
    case .between(let value, let low, let high):
      let type = self.type(of: value)
      let text = try term(value).above(.relation)
      let (low, high) = (try term(low, as: type), try term(high, as: type))
      return Term(
        "\(text) BETWEEN {\(low.above(.relation)), \(high.above(.relation))}", .relation)
    case .inList(let operand):
      let text = try term(operand).above(.relation)
      return Term("\(text) IN \(try value(as: self.type(of: operand)))", .relation)
    case .textTest(let test, let text): return try textTest(test, text)
    case .textFunction(let function, let text):
      let name =
        switch function {
        case .lowercased: "lowercase"
        case .uppercased: "uppercase"
        case .asciiLowercased: "asciilowercase"
        }
      return Term("\(name)(\(try term(text, as: String.self).text))")
    case .members(let function, let path, let predicate):
      return try members(function, path, predicate)
    default: throw Self.unprintable
    }
  }

  private mutating func chain(
    _ operands: [ExpressionTree], _ separator: String, _ level: Level
  ) throws -> Term {
    var texts: [String] = []
    for operand in operands { texts.append(try term(operand, as: Bool.self).above(level)) }
    return Term(texts.joined(separator: separator), level)
  }

  private mutating func not(_ operand: ExpressionTree) throws -> Term {
    if case .members(.exists, let path, nil) = operand {
      return Term("\(try column(path).text).@count == 0", .relation)
    }
    let text = try term(operand, as: Bool.self)
    if text.text.hasPrefix("ANY "), text.level == .relation {
      return Term("NONE \(text.text.dropFirst(4))", .relation)
    }
    return Term("NOT \(text.above(.and))", .relation)
  }

  private mutating func arithmetic(
    _ operation: ArithmeticOperator, _ left: ExpressionTree, _ right: ExpressionTree
  ) throws -> Term {
    let signs: [(ArithmeticOperator, String, Level)] = [
      (.add, "+", .sum), (.subtract, "-", .sum), (.multiply, "*", .product),
      (.divide, "/", .product),
    ]
    guard let (_, sign, level) = signs.first(where: { $0.0 == operation }) else {
      throw Self.unprintable
    }
    // A factor is a number, also if the other one is an amount.
    let type = level == .sum ? self.type(of: left) ?? self.type(of: right) : nil
    let first = try term(left, as: type)
    let second = try term(right, as: type).above(level)
    return Term(
      "\(first.level == level ? first.text : first.above(level)) \(sign) \(second)", level)
  }

  private mutating func textTest(_ test: TextTest, _ operand: ExpressionTree) throws -> Term {
    let text = try term(operand, as: String.self).above(.relation)
    guard case .text(var value) = try nextValue() else { throw Self.unprintable }
    let word: String
    switch test {
    case .prefix: word = "BEGINSWITH"
    case .prefixRange:
      word = "BEGINSWITH"
      _ = try nextValue()
    case .suffix: word = "ENDSWITH"
    case .substring: word = "CONTAINS"
    case .pattern, .exactPattern:
      word = test == .pattern ? "LIKE[c]" : "LIKE"
      let pattern =
        test == .pattern ? TextPattern.text(ofLike: value) : TextPattern.text(ofGlob: value)
      guard let pattern else { throw Self.unprintable }
      value = pattern
    }
    return Term("\(text) \(word) \(try print(.text(value), as: String.self))", .relation)
  }
}

extension ComparisonOperator {
  fileprivate var sign: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

import MagicPostgreSQL
import MagicRequests
import MagicRuntime
import MagicSchema

extension QueryRenderer {
  // MARK: Arithmetic

  /// Renders an operation. An integer that exceeds 64 bits is an error of PostgreSQL. A division by
  /// zero is NULL, as a floating-point number that is NaN.
  mutating func arithmetic(
    _ operation: ArithmeticOperator, _ left: SQLTerm, _ right: SQLTerm
  ) -> SQLTerm {
    mayFail = true
    let isReal = commonType([left, right]) == .float8
    let type = isReal ? PostgreSQLType.float8 : .bigint
    let (left, right) = (cast(left.value, to: type), cast(right.value, to: type))
    let divides = operation == .divide || operation == .remainder
    guard isReal, operation != .remainder else {
      let divisor = divides ? "nullif(\(right.operand), 0)" : right.operand
      return SQLTerm(
        "\(left.operand) \(operation.sign) \(divisor)", type, .arithmetic, mayBeNull: true)
    }
    // PostgreSQL's operators fail if a result is infinite.
    return SQLTerm(
      "\(operation.realFunction)(\(left.text), \(right.text))", type, mayBeNull: true)
  }

  mutating func negative(_ term: SQLTerm) -> SQLTerm {
    mayFail = true
    let type = commonType([term]) == .float8 ? PostgreSQLType.float8 : .bigint
    let operand = cast(term.value, to: type)
    return operand.with("(- \(operand.operand))")
  }

  // MARK: Functions

  /// Renders a function of values. The names that begin with `magic_` are those of ``Functions``.
  mutating func function(_ function: ScalarFunction, _ trees: [ExpressionTree]) throws -> SQLTerm {
    switch function {
    case .dateComponent, .dateStart, .dateAdding, .dateDifference: return try date(function, trees)
    case .matches(let type): return try matches(type, trees)
    case .conditional:
      let condition = condition(try term(trees[0])).text
      let values = unified([try term(trees[1]), try term(trees[2])])
      return values[0].with(
        "CASE WHEN \(condition) THEN \(values[0].text) ELSE \(values[1].text) END",
        mayBeNull: values.contains(where: \.mayBeNull))
    case .coalesced:
      let values = unified(try terms(trees))
      return values[0].with(
        "coalesce(\(values.map(\.text).joined(separator: ", ")))",
        mayBeNull: values.last?.mayBeNull ?? true)
    case .collated(let collation):
      var text = cast(try term(trees[0]).value, to: .text)
      text.comparison = TextComparison(collation: collation, isExplicit: true)
      return text
    default:
      let terms = try terms(trees)
      var result = try self.function(function, of: terms)
      // The result has the collation that an operand names.
      result.comparison = terms.compactMap(\.comparison).first(where: \.isExplicit)
      return result
    }
  }

  private mutating func function(
    _ function: ScalarFunction, of terms: [SQLTerm]
  ) throws -> SQLTerm {
    let mayBeNull = terms.contains { $0.value.mayBeNull }
    func call(_ name: String, _ values: [SQLTerm], _ type: PostgreSQLType?) -> SQLTerm {
      SQLTerm(
        "\(name)(\(values.map(\.text).joined(separator: ", ")))", type, mayBeNull: mayBeNull)
    }
    switch function {
    case .absolute, .rounded, .integer: return number(function, terms[0])
    case .real: return cast(terms[0].value, to: .float8)
    case .concatenated:
      let texts = texts(terms)
      return SQLTerm(
        texts.map(\.operand).joined(separator: " || "), .text, .arithmetic, mayBeNull: mayBeNull)
    case .characterCount: return call("magic_count", texts(terms), .bigint)
    case .trimmed: return call("magic_trim", texts(terms), .text)
    case .replaced: return call("magic_replace", texts(terms), .text)
    case .prefix:
      let values = [cast(terms[0].value, to: .text), cast(terms[1].value, to: .bigint)]
      return call("magic_prefix", values, .text)
    case .jsonCount:
      return SQLTerm(
        "magic_json_count(\(cast(terms[0].value, to: .bytea).text))", .bigint, mayBeNull: true)
    case .jsonContains: return call("magic_json_contains", terms.map { bytes($0) }, .boolean)
    case .jsonMember(let kind):
      let (json, key) = (bytes(terms[0]), cast(terms[1].value, to: .text))
      return value(of: "magic_json_member(\(json.text), \(key.text))", kind)
    case .distance(let metric):
      let (vector, other) = (bytes(terms[0]).text, "magic_vector(\(bytes(terms[1]).text))")
      // The numbers of a parameter are read once for the statement.
      let numbers = literals == nil ? "(SELECT \(other))" : other
      return SQLTerm("magic_distance(\(vector), \(numbers), \(metric.rawValue))", .float8)
    default: throw MagicError.malformedQuery
    }
  }

  private mutating func texts(_ terms: [SQLTerm]) -> [SQLTerm] {
    terms.map { cast($0.value, to: .text) }
  }

  mutating func bytes(_ term: SQLTerm) -> SQLTerm { cast(term.value, to: .bytea) }

  private mutating func number(_ function: ScalarFunction, _ term: SQLTerm) -> SQLTerm {
    mayFail = true
    let isReal = commonType([term]) == .float8
    let operand = cast(term.value, to: isReal ? .float8 : .bigint)
    switch function {
    case .absolute: return operand.with("abs(\(operand.text))")
    case .rounded: return isReal ? operand.with("magic_round(\(operand.text))") : operand
    default:
      guard isReal else { return operand }
      return SQLTerm("trunc(\(operand.text))::bigint", .bigint, mayBeNull: operand.mayBeNull)
    }
  }

  mutating func textFunction(_ function: TextFunction, _ text: SQLTerm) -> SQLTerm {
    let name =
      switch function {
      case .lowercased: "magic_lower"
      case .uppercased: "magic_upper"
      // In the collation "C", only the letters A to Z are converted.
      case .asciiLowercased: "lower"
      }
    let operand = cast(text.value, to: .text)
    return operand.with("\(name)(\(operand.text))")
  }

  // MARK: Dates

  private mutating func date(
    _ function: ScalarFunction, _ trees: [ExpressionTree]
  ) throws -> SQLTerm {
    let date = cast(try term(trees[0]).value, to: .float8).text
    switch function {
    case .dateComponent(let unit):
      return SQLTerm(
        "magic_date_part(\(date), \(unit.rawValue), \(try zone(trees, 1)))", .bigint,
        mayBeNull: true)
    case .dateStart(let unit):
      return SQLTerm(
        "magic_date_start(\(date), \(unit.rawValue), \(try zone(trees, 1)))", .float8,
        mayBeNull: true)
    case .dateAdding(let unit):
      let count = cast(try term(trees[1]).value, to: .bigint).text
      return SQLTerm(
        "magic_date_add(\(date), \(count), \(unit.rawValue), \(try zone(trees, 2)))", .float8,
        mayBeNull: true)
    default:
      let other = cast(try term(trees[1]).value, to: .float8).text
      return SQLTerm("magic_subtract(\(date), \(other))", .float8, mayBeNull: true)
    }
  }

  /// Renders the time zone of a function, which is a value of the query; UTC without it.
  private mutating func zone(_ trees: [ExpressionTree], _ index: Int) throws -> String {
    guard index < trees.count else { return "NULL" }
    guard case .value = trees[index] else { throw MagicError.malformedQuery }
    return "$\(try parameter(.zone, .bigint))"
  }

  // MARK: JSON

  /// Renders the value of JSON, if it is of a kind.
  func value(of json: String, _ kind: JSONKind) -> SQLTerm {
    let (function, type): (String, PostgreSQLType) =
      switch kind {
      case .integer: ("magic_json_integer", .bigint)
      case .real: ("magic_json_real", .float8)
      case .bool: ("magic_json_boolean", .boolean)
      case .text: ("magic_json_text", .text)
      case .container: ("magic_json_container", .bytea)
      }
    let text = type == .text ? "(\(function)(\(json)) COLLATE \"C\")" : "\(function)(\(json))"
    return SQLTerm(text, type, mayBeNull: true)
  }

  /// Renders a function of the elements of a JSON array.
  mutating func elements(
    _ function: MemberFunction, _ json: ExpressionTree, _ predicate: MemberPredicate
  ) throws -> SQLTerm {
    let json = bytes(try term(json)).text
    let alias = alias()
    elementScopes.append(ElementScope(id: predicate.scope, element: "\(alias).\"element\""))
    defer { elementScopes.removeLast() }
    let condition = condition(try term(predicate.condition)).text
    let tail = "FROM magic_json_elements(\(json)) AS \(alias) (\"element\") WHERE \(condition)"
    switch function {
    case .exists: return SQLTerm.condition("EXISTS (SELECT 1 \(tail))", .atom)
    case .count: return SQLTerm("(SELECT count(*) \(tail))", .bigint)
    default: throw MagicError.malformedQuery
    }
  }

  /// Renders the value of an element.
  func element(_ id: RowScopeID, _ kind: JSONKind) throws -> SQLTerm {
    guard let scope = elementScopes.last(where: { $0.id == id }) else {
      throw MagicError(.invalidQuery, "An element of a query is used outside its closure.")
    }
    return value(of: scope.element, kind)
  }
}

/// The element of JSON that a condition is about.
struct ElementScope {
  let id: RowScopeID
  /// The SQL of the element.
  let element: String
}

extension ArithmeticOperator {
  /// The function for floating-point numbers.
  fileprivate var realFunction: String {
    switch self {
    case .add: "magic_add"
    case .subtract: "magic_subtract"
    case .multiply: "magic_multiply"
    case .divide, .remainder: "magic_divide"
    }
  }
}

import MagicPostgreSQL
import MagicRequests
import MagicSQLText
import MagicSchema

extension QueryRenderer {
  mutating func term(_ expression: QueryExpression) throws -> SQLTerm {
    try term(expression.tree)
  }

  /// Renders an expression tree. A call needs the stack of all cases together, so the operations that
  /// may be nested deeply are separate from the others.
  mutating func term(_ tree: ExpressionTree) throws -> SQLTerm {
    switch tree {
    case .column(let path): return try column(path)
    case .value: return try parameter()
    case .null: return .null
    case .and(let operands): return try chain(operands, " AND ", .and)
    case .or(let operands): return try chain(operands, " OR ", .or)
    case .not(let operand): return negation(try term(operand))
    case .comparison(let comparison, let left, let right):
      return try self.comparison(comparison, left, right)
    case .isNull(let operand): return try nullTest("IS NULL", operand)
    case .isNotNull(let operand): return try nullTest("IS NOT NULL", operand)
    case .arithmetic(let operation, let left, let right):
      return arithmetic(operation, try term(left), try term(right))
    case .negative(let operand): return negative(try term(operand))
    case .textFunction(let function, let text): return textFunction(function, try term(text))
    case .function(let function, let operands): return try self.function(function, operands)
    default: return try operation(tree)
    }
  }

  /// Renders an operation that has a function of its own.
  private mutating func operation(_ tree: ExpressionTree) throws -> SQLTerm {
    switch tree {
    case .textTest(let test, let text): return try textTest(test, try term(text))
    case .between(let value, let low, let high): return try between(value, low, high)
    case .inList(let value): return try inList(value)
    case .members(let function, let path, let predicate):
      return try members(function, of: path, predicate)
    case .elements(let function, let json, let predicate):
      return try elements(function, json, predicate)
    case .element(let scope, let kind): return try element(scope, kind)
    case .subquery(let function, let query, let operand):
      return try subquery(function, query, operand)
    case .fragment(let fragment): return try self.fragment(fragment)
    case .rowCount: return SQLTerm("count(*)", .bigint)
    case .aggregate(let function, let operand):
      return aggregate(function, of: try ofRows { try $0.term(operand) })
    case .joined(let operand):
      let rows = identity(from: scopes.lastIndex { !$0.isJoined } ?? 0)
      let order = rows.isEmpty ? "" : " ORDER BY \(rows.joined(separator: ", "))"
      return try joined(try ofRows { try $0.term(operand) }, order)
    case .window(let function, let operand, let window):
      return try self.window(function, operand, window)
    case .selected(let index):
      guard keys.indices.contains(index) else { throw MagicError.malformedQuery }
      return keys[index]
    default: throw MagicError.malformedQuery
    }
  }

  /// Renders a part of the statement that is about rows, not about their groups.
  mutating func ofRows<Result>(
    _ body: (inout QueryRenderer) throws -> Result
  ) rethrows -> Result {
    let texts = groupTexts
    defer { groupTexts = texts }
    groupTexts = [:]
    return try body(&self)
  }

  /// Renders the next value as the separator of the texts of rows.
  mutating func joined(_ term: SQLTerm, _ order: String) throws -> SQLTerm {
    let text = cast(term.value, to: .text).text
    return SQLTerm("string_agg(\(text), \(try parameter(.text))\(order))", .text, mayBeNull: true)
  }

  mutating func terms(_ trees: [ExpressionTree]) throws -> [SQLTerm] {
    var terms: [SQLTerm] = []
    for tree in trees { terms.append(try term(tree)) }
    return terms
  }

  private mutating func chain(
    _ operands: [ExpressionTree], _ word: String, _ level: SQLTerm.Level
  ) throws -> SQLTerm {
    var conditions: [SQLTerm] = []
    for operand in operands { conditions.append(condition(try term(operand))) }
    let next = SQLTerm.Level(rawValue: level.rawValue + 1) ?? .atom
    return SQLTerm.condition(
      conditions.map { $0.text(next) }.joined(separator: word), level,
      mayBeNull: conditions.contains(where: \.mayBeNull))
  }

  private mutating func nullTest(_ test: String, _ tree: ExpressionTree) throws -> SQLTerm {
    let term = try term(tree)
    // The type of a parameter has to be known.
    return SQLTerm.condition("\(typed(term).operand) \(test)")
  }

  mutating func negation(_ term: SQLTerm) -> SQLTerm {
    let term = condition(term)
    if term.mayBeNull { return SQLTerm.condition("(\(term.text)) IS NOT TRUE") }
    return SQLTerm.condition("NOT (\(term.text))", .not)
  }

  // MARK: Comparisons

  private mutating func comparison(
    _ comparison: ComparisonOperator, _ left: ExpressionTree, _ right: ExpressionTree
  ) throws -> SQLTerm {
    let terms = [try term(left), try term(right)]
    let isEquality = comparison == .equal || comparison == .notEqual
    if isEquality, terms.contains(where: { $0.type == nil }) {
      let other = terms.first { $0.type != nil } ?? terms[0]
      let test = comparison == .equal ? "IS NULL" : "IS NOT NULL"
      return SQLTerm.condition("\(typed(other).operand) \(test)")
    }
    return compared(comparison, unified(terms))
  }

  private func compared(_ comparison: ComparisonOperator, _ terms: [SQLTerm]) -> SQLTerm {
    let keys = SQLTerm.keys(of: terms)
    let (left, right) = (keys[0], keys[1])
    let mayBeNull = left.mayBeNull || right.mayBeNull
    switch comparison {
    // An index finds rows by `=` only. It is NULL, and not true, if one value is NULL.
    case .equal where left.mayBeNull && right.mayBeNull:
      return SQLTerm.condition("\(left.operand) IS NOT DISTINCT FROM \(right.operand)")
    case .notEqual where mayBeNull:
      return SQLTerm.condition("\(left.operand) IS DISTINCT FROM \(right.operand)")
    default:
      return SQLTerm.condition(
        "\(left.operand) \(comparison.sign) \(right.operand)", mayBeNull: mayBeNull)
    }
  }

  private mutating func between(
    _ value: ExpressionTree, _ low: ExpressionTree, _ high: ExpressionTree
  ) throws -> SQLTerm {
    let terms = SQLTerm.keys(of: unified([try term(value), try term(low), try term(high)]))
    return SQLTerm.condition(
      "\(terms[0].operand) BETWEEN \(terms[1].operand) AND \(terms[2].operand)",
      mayBeNull: terms.contains(where: \.mayBeNull))
  }

  private mutating func inList(_ tree: ExpressionTree) throws -> SQLTerm {
    let value = try term(tree)
    guard position < kinds.count else { throw MagicError.malformedQuery }
    var list = SQLTerm("", kinds[position].type)
    list.parameter = position + 1
    let type = commonType([value, list]) ?? .text
    let operand = cast(value.value, to: type)
    let number = try parameter(.list, type)
    // The collation of the operand is used.
    var values = "$\(number)"
    if operand.hasEqualTexts {
      let element = SQLTerm("e COLLATE \"C\"", .text).key(by: operand.collation)
      values = "ARRAY(SELECT \(element.text) FROM unnest(\(values)) AS e)"
    }
    return SQLTerm.condition("\(operand.key.operand) = ANY(\(values))", mayBeNull: true)
  }

  // MARK: Aggregates

  /// Renders an aggregate function of the values of an expression, or of those of a window.
  mutating func aggregate(
    _ function: AggregateFunction, of term: SQLTerm, over window: String = ""
  ) -> SQLTerm {
    let value = typed(term)
    let text = value.text
    mayFail = mayFail || function == .sum
    switch function {
    case .sum where value.type == .float8:
      // The sum of infinities of both signs is no number, which is NULL.
      return SQLTerm(
        "CASE WHEN count(\(text))\(window) = 0 THEN 0 "
          + "ELSE nullif(sum(\(text))\(window), 'NaN') END", .float8, mayBeNull: true)
    case .sum:
      let number = cast(value, to: .bigint).text
      return SQLTerm("coalesce(sum(\(number))\(window), 0)::bigint", .bigint)
    case .minimum, .maximum: return extreme(function == .minimum, value, over: window)
    case .average:
      let number = value.type == .boolean ? cast(value, to: .bigint).text : text
      return SQLTerm(
        "nullif(sum(\(number))\(window)::double precision "
          + "/ nullif(count(\(number))\(window), 0), 'NaN')", .float8, mayBeNull: true)
    case .percentile(let fraction):
      // The operand of percentile_cont is a number with a fraction.
      let number = cast(value, to: .float8).text
      return SQLTerm(
        "nullif(percentile_cont(\(fraction)) WITHIN GROUP (ORDER BY \(number)), 'NaN')", .float8,
        mayBeNull: true)
    case .distinctCount:
      // A window function permits no DISTINCT. Its operand is distinct already.
      return SQLTerm(
        "count(\(window.isEmpty ? "DISTINCT " : "")\(value.key.text))\(window)", .bigint)
    }
  }

  /// Renders the smallest or the largest value. PostgreSQL has no such functions for truth values,
  /// UUIDs and, before version 18, bytes.
  private func extreme(_ isMinimum: Bool, _ value: SQLTerm, over window: String) -> SQLTerm {
    let function = isMinimum ? "min" : "max"
    let text =
      switch value.type {
      case .boolean: "\(isMinimum ? "bool_and" : "bool_or")(\(value.text))\(window)"
      case .uuid: "\(function)(\(value.operand)::text COLLATE \"C\")\(window)::uuid"
      case .bytea: "decode(\(function)(encode(\(value.text), 'hex') COLLATE \"C\")\(window), 'hex')"
      case _ where value.hasEqualTexts:
        // Two characters U+0001 precede all continuations of a text, and no text contains them, see
        // `PostgreSQLText`. Of equal texts, the bytes decide.
        "split_part(\(function)(\(value.key.text) || E'\\x01\\x01' || \(value.operand))\(window), "
          + "E'\\x01\\x01', 2)"
      case _ where value.collation != nil:
        "(\(function)(\(value.key.text))\(window) COLLATE \(MagicCollation.bytes.quoted))"
      default: "\(function)(\(value.text))\(window)"
      }
    return value.with(text, mayBeNull: true)
  }
}

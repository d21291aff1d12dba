import MagicSchema

/// Writes the SQL of an expression of an index.
///
/// The engine's query planner uses the index only if the SQL of a query has the same operators and
/// operands. The renderer of queries writes the same operators, except for parentheses.
struct IndexDefinitionWriter {
  let schema: ObjectSchema
  var values: ArraySlice<QueryValue>
  private(set) var hasColumn = false

  init(schema: ObjectSchema, values: ArraySlice<QueryValue>) {
    self.schema = schema
    self.values = values
  }

  struct Term {
    let text: String
    var mayBeNull = false
    var isCondition = false
    var isAtom = false
    /// Whether the texts are not compared by their bytes.
    var isCollated = false

    /// The term as an operand of a comparison of bytes.
    var bytesOperand: String { isCollated ? "\(operand) COLLATE BINARY" : operand }

    /// The term as an operand. A condition that is NULL in SQL is false.
    var operand: String {
      if isCondition, mayBeNull { return "((\(text)) IS TRUE)" }
      return isAtom ? text : "(\(text))"
    }

    /// The term as an argument of a function.
    var argument: String { isCondition && mayBeNull ? "(\(text)) IS TRUE" : text }
  }

  static func refused(_ message: String, _ schema: ObjectSchema) -> MagicError {
    MagicError(.invalidSchema, message, type: schema.typeName)
  }

  private func refused(_ message: String) -> MagicError { Self.refused(message, schema) }

  /// - Throws: `MagicError` with `.invalidSchema` if an index cannot contain the expression.
  mutating func term(_ tree: ExpressionTree) throws -> Term {
    switch tree {
    case .column(let path): return try column(path)
    case .value: return Term(text: try literal(), isAtom: true)
    case .null: return Term(text: "NULL", mayBeNull: true, isAtom: true)
    case .and(let operands): return try chain(operands, " AND ")
    case .or(let operands): return try chain(operands, " OR ")
    case .not(let operand):
      let term = try term(operand)
      let text = term.mayBeNull ? "(\(term.text)) IS NOT TRUE" : "NOT (\(term.text))"
      return Term(text: text, isCondition: true)
    case .comparison(let comparison, let left, let right):
      return Self.comparison(comparison, try term(left), try term(right))
    case .isNull(let operand):
      return Term(text: "\(try term(operand).operand) IS NULL", isCondition: true)
    case .isNotNull(let operand):
      return Term(text: "\(try term(operand).operand) IS NOT NULL", isCondition: true)
    case .arithmetic(let operation, let left, let right):
      let (left, right) = (try term(left), try term(right))
      return Term(text: "\(left.operand) \(operation.sign) \(right.operand)", mayBeNull: true)
    case .negative(let operand):
      let term = try term(operand)
      return Term(text: "-\(term.operand)", mayBeNull: term.mayBeNull)
    case .between(let value, let low, let high):
      let (value, low, high) = (try term(value), try term(low), try term(high))
      return Term(
        text: "\(value.operand) BETWEEN \(low.operand) AND \(high.operand)",
        mayBeNull: value.mayBeNull, isCondition: true)
    case .textTest(let test, let text): return try textTest(test, try term(text))
    case .textFunction(.asciiLowercased, let text):
      let term = try term(text)
      return Term(text: "lower(\(term.argument))", mayBeNull: term.mayBeNull, isAtom: true)
    case .function(let function, let operands): return try self.function(function, operands)
    case .textFunction: throw ownFunction
    case .inList:
      throw refused("An index contains a list of values. Combine comparisons with || instead.")
    case .members, .subquery, .fragment, .rowCount, .aggregate, .joined, .selected, .window,
      .elements, .element:
      throw refused(
        "An index contains values of other rows. Use only the properties of the type itself.")
    }
  }

  private var ownFunction: MagicError {
    refused(
      "An index contains a function that only this library computes, so that other programs could "
        + "not write to the table. Use comparisons, arithmetic, ??, when, abs, +, replacing or "
        + "asciiLowercased().")
  }

  private mutating func column(_ path: ColumnPath) throws -> Term {
    guard path.type == schema.ordinal, path.toOnes.isEmpty, path.property < schema.columns.count
    else {
      throw refused(
        "An index contains values of other rows. Use only the properties of the type itself.")
    }
    guard path.property != ColumnPath.depth else {
      throw refused(
        "An index contains the depth of a row, which only a query with descendants or ancestors has."
      )
    }
    guard path.property >= 0, !schema.columns[path.property].isRowID else {
      throw refused("An index contains the row ID, by which rows are found without an index.")
    }
    hasColumn = true
    let column = schema.columns[path.property]
    return Term(
      text: column.name.quoted, mayBeNull: column.isNullable, isAtom: true,
      isCollated: column.collation != nil)
  }

  private mutating func literal() throws -> String {
    guard let literal = values.popFirst()?.literal else {
      throw refused(
        "An index contains a constant that has no exact literal. Use a number of at most 15 digits, "
          + "or a text without NUL characters.")
    }
    return literal
  }

  private mutating func chain(_ operands: [ExpressionTree], _ word: String) throws -> Term {
    var texts: [String] = []
    var mayBeNull = false
    for operand in operands {
      let term = try term(operand)
      mayBeNull = mayBeNull || term.mayBeNull
      texts.append(term.isAtom ? term.text : "(\(term.text))")
    }
    return Term(text: texts.joined(separator: word), mayBeNull: mayBeNull, isCondition: true)
  }

  private static func comparison(
    _ comparison: ComparisonOperator, _ left: Term, _ right: Term
  ) -> Term {
    let mayBeNull =
      (left.mayBeNull && !left.isCondition) || (right.mayBeNull && !right.isCondition)
    let isTwoValued = comparison == .equal || comparison == .notEqual
    let sign =
      switch comparison {
      case .equal: mayBeNull ? "IS" : "="
      case .notEqual: mayBeNull ? "IS NOT" : "<>"
      case .less: "<"
      case .lessOrEqual: "<="
      case .greater: ">"
      case .greaterOrEqual: ">="
      }
    return Term(
      text: "\(left.operand) \(sign) \(right.operand)", mayBeNull: mayBeNull && !isTwoValued,
      isCondition: true)
  }

  private mutating func textTest(_ test: TextTest, _ text: Term) throws -> Term {
    switch test {
    case .prefix:
      return Term(
        text: "\(text.bytesOperand) >= \(try literal())", mayBeNull: text.mayBeNull,
        isCondition: true)
    case .prefixRange:
      let start = "\(text.bytesOperand) >= \(try literal())"
      return Term(
        text: "\(start) AND \(text.bytesOperand) < \(try literal())", mayBeNull: text.mayBeNull,
        isCondition: true)
    case .substring:
      return Term(
        text: "instr(\(text.argument), \(try literal())) > 0", mayBeNull: text.mayBeNull,
        isCondition: true)
    case .suffix, .pattern, .exactPattern:
      throw refused("An index contains a test of a suffix or a pattern. Use hasPrefix or contains.")
    }
  }

  private mutating func function(
    _ function: ScalarFunction, _ trees: [ExpressionTree]
  ) throws -> Term {
    var terms: [Term] = []
    for tree in trees { terms.append(try term(tree)) }
    let mayBeNull = terms.contains { $0.mayBeNull && !$0.isCondition }
    func call(_ name: String, mayBeNull: Bool) -> Term {
      let arguments = terms.map(\.argument).joined(separator: ", ")
      return Term(text: "\(name)(\(arguments))", mayBeNull: mayBeNull, isAtom: true)
    }
    switch function {
    case .coalesced:
      return call("ifnull", mayBeNull: terms.last.map { $0.mayBeNull && !$0.isCondition } ?? true)
    case .absolute: return call("abs", mayBeNull: mayBeNull)
    case .replaced: return call("replace", mayBeNull: mayBeNull)
    case .real:
      return Term(
        text: "CAST(\(terms[0].argument) AS REAL)", mayBeNull: mayBeNull, isAtom: true)
    case .concatenated:
      return Term(text: terms.map(\.operand).joined(separator: " || "), mayBeNull: mayBeNull)
    case .dateDifference:
      return Term(text: terms.map(\.operand).joined(separator: " - "), mayBeNull: true)
    case .conditional:
      let (then, other) = (terms[1], terms[2])
      return Term(
        text: "CASE WHEN \(terms[0].text) THEN \(then.argument) ELSE \(other.argument) END",
        mayBeNull: (then.mayBeNull && !then.isCondition)
          || (other.mayBeNull && !other.isCondition), isAtom: true)
    default: throw ownFunction
    }
  }
}

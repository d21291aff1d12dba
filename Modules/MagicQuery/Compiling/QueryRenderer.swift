import MagicSchema
import MagicStore

/// Makes a query's SQL. Parameters are numbered in the order of the call's values.
struct QueryRenderer {
  private let tables: (ObjectSchema) throws -> QueryTable
  /// Whether all tables are there, so that the SQL stays right.
  private(set) var isLasting = true
  var scopes: [RowScope] = []
  private var aliases = 0
  private var parameters = 0
  private var lists = 0

  init(_ tables: @escaping (ObjectSchema) throws -> QueryTable) { self.tables = tables }

  static func render(
    _ call: PreparedQuery, _ tables: @escaping (ObjectSchema) throws -> QueryTable
  ) throws -> (sql: String, isLasting: Bool) {
    var renderer = QueryRenderer(tables)
    let sql = try renderer.statement(call)
    return (sql, renderer.isLasting)
  }

  // MARK: Names

  mutating func table(_ schema: ObjectSchema) throws -> QueryTable {
    let table = try tables(schema)
    if table.name == nil { isLasting = false }
    return table
  }

  mutating func noteMissingTable() { isLasting = false }

  mutating func alias() -> String {
    defer { aliases += 1 }
    return nextAlias
  }

  /// What ``alias()`` gives next.
  var nextAlias: String { "t\(aliases)" }

  mutating func parameter() -> String {
    parameters += 1
    return "?\(parameters)"
  }

  private mutating func list() -> String {
    lists += 1
    return StoreConnection.listTable(lists)
  }

  // MARK: Expressions

  mutating func term(_ code: ExpressionCode) throws -> SQLTerm {
    var reader = ExpressionDecoder(code)
    return try term(&reader)
  }

  /// Each kind of operation has a function of its own: the stack takes what the largest of those
  /// that are open needs.
  mutating func term(_ reader: inout ExpressionDecoder) throws -> SQLTerm {
    let operation = try reader.operation()
    switch operation {
    case .column: return try column(try reader.place())
    case .value: return SQLTerm(parameter())
    case .null: return SQLTerm("NULL", mayBeNull: true)
    case .and, .or: return try chain(operation, &reader)
    case .not: return Self.negation(try term(&reader))
    case .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return Self.comparison(operation, try term(&reader), try term(&reader))
    case .isNull, .isNotNull: return try nullTest(operation, &reader)
    case .add, .subtract, .multiply, .divide, .negate: return try number(operation, &reader)
    case .hasPrefix, .hasSuffix, .containsText, .like, .lowercased, .uppercased:
      return try text(operation, &reader)
    case .between, .inValues, .inList: return try inclusion(operation, &reader)
    case .hasMember, .hasMemberWhere, .hasMemberExcept, .hasObject, .memberCount,
      .memberCountWhere:
      return try members(operation, &reader)
    case .count: return try Self.aggregate(.count, of: "*")
    case .sum, .minimum, .maximum, .average:
      return try Self.aggregate(operation, of: try term(&reader).value.text)
    }
  }

  private mutating func chain(
    _ operation: Operation, _ reader: inout ExpressionDecoder
  ) throws -> SQLTerm {
    var terms: [SQLTerm] = []
    for _ in 0..<(try reader.next()) { terms.append(try term(&reader)) }
    return operation == .and ? .joined(terms, " AND ", .and) : .joined(terms, " OR ", .or)
  }

  private mutating func nullTest(
    _ operation: Operation, _ reader: inout ExpressionDecoder
  ) throws -> SQLTerm {
    let operand = try term(&reader).operand
    return SQLTerm("\(operand) \(operation == .isNull ? "IS NULL" : "IS NOT NULL")", .comparison)
  }

  private mutating func number(
    _ operation: Operation, _ reader: inout ExpressionDecoder
  ) throws -> SQLTerm {
    let left = try term(&reader)
    guard operation != .negate else {
      return SQLTerm("-\(left.operand)", .arithmetic, mayBeNull: left.mayBeNull)
    }
    let right = try term(&reader)
    return SQLTerm(
      "\(left.operand) \(operation.sign) \(right.operand)", .arithmetic,
      mayBeNull: left.mayBeNull || right.mayBeNull || operation == .divide)
  }

  private mutating func inclusion(
    _ operation: Operation, _ reader: inout ExpressionDecoder
  ) throws -> SQLTerm {
    let count = operation == .inValues ? try reader.next() : 0
    let value = try term(&reader)
    let set: String
    switch operation {
    case .between:
      let (low, high) = (try term(&reader), try term(&reader))
      set = "BETWEEN \(low.operand) AND \(high.operand)"
    case .inList: set = "IN (SELECT \"value\" FROM temp.\(list()))"
    default:
      // No value is in an empty list, nil neither. The operand keeps its parameters.
      guard count > 0 else { return SQLTerm("\(value.operand) IN ()", .comparison) }
      set = "IN (\((0..<count).map { _ in parameter() }.joined(separator: ", ")))"
    }
    return SQLTerm("\(value.operand) \(set)", .comparison, mayBeNull: value.mayBeNull)
  }

  /// What is computed of many rows.
  static func aggregate(_ operation: Operation?, of text: String) throws -> SQLTerm {
    switch operation {
    case .count: SQLTerm("count(*)")
    case .sum: SQLTerm("ifnull(sum(\(text)), 0)")
    case .minimum: SQLTerm("min(\(text))", mayBeNull: true)
    case .maximum: SQLTerm("max(\(text))", mayBeNull: true)
    case .average: SQLTerm("avg(\(text))", mayBeNull: true)
    default: throw ExpressionDecoder.malformed
    }
  }

  static func negation(_ term: SQLTerm) -> SQLTerm {
    if term.mayBeNull { return SQLTerm("(\(term.text)) IS NOT TRUE", .comparison) }
    let isExistence = term.level == .atom && term.text.hasPrefix("EXISTS ")
    return SQLTerm("NOT \(isExistence ? term.text : "(\(term.text))")", .not)
  }

  private static func comparison(
    _ operation: Operation, _ left: SQLTerm, _ right: SQLTerm
  ) -> SQLTerm {
    let (left, right) = (left.value, right.value)
    let mayBeNull = left.mayBeNull || right.mayBeNull
    let sign =
      switch operation {
      case .equal where mayBeNull: "IS"
      case .unequal where mayBeNull: "IS NOT"
      default: operation.sign
      }
    let isTwoValued = operation == .equal || operation == .unequal
    return SQLTerm(
      "\(left.text(.arithmetic)) \(sign) \(right.text(.arithmetic))", .comparison,
      mayBeNull: mayBeNull && !isTwoValued)
  }
}

extension Operation {
  fileprivate var sign: String {
    switch self {
    case .equal: "="
    case .unequal: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    default: ""
    }
  }
}

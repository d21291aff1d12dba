import MagicEngine
import MagicSchema

/// Compiles expressions and their values into closures, for a state of the tables.
///
/// A condition is never NULL: a condition that is NULL in SQL is false here.
struct QueryCompiler {
  let tables: MemoryTables
  /// Returns the row ID of an object that is a value of the query.
  let rowID: (any MagicObject) throws -> Int64
  /// The region that the expressions read.
  var region = ReadRegion()
  var scopes: [(ids: [RowScopeID], schema: ObjectSchema)]
  private var values: ArraySlice<QueryValue> = []

  init(
    _ schema: ObjectSchema, _ tables: MemoryTables, scopes ids: [RowScopeID],
    rowID: @escaping (any MagicObject) throws -> Int64
  ) {
    self.tables = tables
    self.rowID = rowID
    scopes = [(ids, schema)]
  }

  mutating func compile(_ expression: QueryExpression) throws -> Computation {
    values = expression.values[...]
    return try compile(expression.tree)
  }

  /// Returns the next value of the expression. The values are in the order of the tree traversal.
  mutating func nextValue() throws -> StoredValue {
    try values.popFirst().map { try StoredValue($0, rowID: rowID) } ?? .null
  }

  private mutating func nextValues(_ count: Int) throws -> [StoredValue] {
    var next: [StoredValue] = []
    for _ in 0..<count { next.append(try nextValue()) }
    return next
  }

  private mutating func nextList() throws -> [StoredValue] {
    guard case .list(let list)? = values.popFirst() else { throw MagicError.malformedQuery }
    return try list.map { try StoredValue($0, rowID: rowID) }
  }

  mutating func compile(_ tree: ExpressionTree) throws -> Computation {
    switch tree {
    case .column(let path): return try column(path)
    case .value:
      let value = try nextValue()
      return { _ in value }
    case .null: return { _ in .null }
    case .and(let operands):
      let operands = try compile(operands)
      return { frame in StoredValue(try operands.allSatisfy { try $0(frame).isTrue }) }
    case .or(let operands):
      let operands = try compile(operands)
      return { frame in StoredValue(try operands.contains { try $0(frame).isTrue }) }
    case .not(let operand): return try map(operand) { StoredValue(!$0.isTrue) }
    case .isNull(let operand): return try map(operand) { StoredValue($0.isNull) }
    case .isNotNull(let operand): return try map(operand) { StoredValue(!$0.isNull) }
    case .comparison(let comparison, let left, let right):
      return try map(left, right) { StoredValue(comparison.holds($0, $1)) }
    case .arithmetic(let operation, let left, let right):
      return try map(left, right) { operation.result($0, $1) }
    case .negative(let operand):
      return try map(operand) { ArithmeticOperator.subtract.result(.integer(0), $0) }
    case .textTest(let test, let text): return try textTest(test, text)
    case .textFunction(let function, let text): return try map(text, function.result)
    case .between(let value, let low, let high):
      let (value, low, high) = (try compile(value), try compile(low), try compile(high))
      return { frame in
        let value = try value(frame)
        let isIn =
          try ComparisonOperator.greaterOrEqual.holds(value, low(frame))
          && ComparisonOperator.lessOrEqual.holds(value, high(frame))
        return StoredValue(isIn)
      }
    case .inList(let operand):
      let operand = try compile(operand)
      return isIn(operand, try nextList())
    case .members(let function, let path, let predicate):
      return try members(function, of: path, predicate)
    case .subquery(let function, let query, let operand):
      return try subquery(function, query, operand)
    case .function(let function, let operands):
      let operands = try compile(operands)
      return { frame in try function.result(operands.map { try $0(frame) }) }
    case .joined(let operand):
      let operand = try compile(operand)
      let separator = try nextValue()
      return { frame in
        let values = try frame.group.map { try operand(QueryFrame(rows: [$0])) }
        return StoredValue.joined(values, separator: separator)
      }
    case .selected: throw MagicError.malformedQuery
    case .fragment: throw MagicError.noDialect
    case .rowCount: return { .integer(Int64($0.group.count)) }
    case .aggregate(let function, let operand):
      let operand = try compile(operand)
      return { frame in
        try function.result(frame.group.map { try operand(QueryFrame(rows: [$0])) })
      }
    }
  }

  private mutating func compile(_ trees: [ExpressionTree]) throws -> [Computation] {
    var computations: [Computation] = []
    for tree in trees { computations.append(try compile(tree)) }
    return computations
  }

  private mutating func map(
    _ operand: ExpressionTree, _ body: @escaping (StoredValue) -> StoredValue
  ) throws -> Computation {
    let operand = try compile(operand)
    return { body(try operand($0)) }
  }

  private mutating func map(
    _ left: ExpressionTree, _ right: ExpressionTree,
    _ body: @escaping (StoredValue, StoredValue) -> StoredValue
  ) throws -> Computation {
    let (left, right) = (try compile(left), try compile(right))
    return { body(try left($0), try right($0)) }
  }

  private func isIn(_ operand: @escaping Computation, _ values: [StoredValue]) -> Computation {
    let values = Set(values.filter { !$0.isNull })
    return { StoredValue(values.contains(try operand($0))) }
  }

  private mutating func textTest(_ test: TextTest, _ text: ExpressionTree) throws -> Computation {
    let text = try compile(text)
    let values = try nextValues(test == .prefixRange ? 2 : 1)
    let holds = try test.compiled(values)
    return { frame in
      let text = try text(frame)
      return StoredValue(text.stored.map { holds(text, $0) } ?? false)
    }
  }
}

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
  var scopes: [Scope]
  /// The keys of the groups.
  var keys: [Computation] = []
  /// The functions over windows, which are computed when all rows of the result are known.
  var windows: [ComputedWindow] = []
  /// The elements of JSON that the open conditions are about.
  var elements: [(id: RowScopeID, current: CurrentElement)] = []
  /// The identity of the elements with which the rows of the query are combined.
  var joinedElements: RowScopeID?
  /// The values that are not compiled yet.
  var values: ArraySlice<QueryValue> = []

  /// The row of a query, of a subquery or of a member.
  struct Scope {
    let ids: [RowScopeID]
    let schema: ObjectSchema
    /// Whether the row is combined with that of the scope before it, and is not the row of a query.
    var isJoined = false
    /// The depths of the rows, if the query has a traversal.
    var depths: CurrentDepths?
  }

  init(
    _ schema: ObjectSchema, _ tables: MemoryTables, scopes ids: [RowScopeID],
    rowID: @escaping (any MagicObject) throws -> Int64
  ) {
    self.tables = tables
    self.rowID = rowID
    scopes = [Scope(ids: ids, schema: schema)]
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
      return try map(left, right) { try operation.result($0, $1) }
    case .negative(let operand):
      return try map(operand) { try ArithmeticOperator.subtract.result(.integer(0), $0) }
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
    case .elements(let function, let json, let predicate):
      return try elements(function, json, predicate)
    case .element(let id, let kind): return try element(id, kind)
    case .subquery(let function, let query, let operand):
      return try subquery(function, query, operand)
    case .function(.matches(let type), _):
      throw MagicError.noSearch(ObjectSchema.numbered(type))
    case .function(let function, let operands):
      let operands = try compile(operands)
      return { frame in try function.result(operands.map { try $0(frame) }) }
    case .joined(let operand):
      let operand = try compile(operand)
      let separator = try nextValue()
      return { frame in
        let values = try frame.group.map(operand)
        return StoredValue.joined(values, separator: separator)
      }
    case .window(let function, let operand, let window):
      return try self.window(function, operand, window)
    case .selected(let index):
      guard keys.indices.contains(index) else { throw MagicError.malformedQuery }
      return keys[index]
    case .fragment: throw MagicError.noDialect
    case .rowCount: return { .integer(Int64($0.group.count)) }
    case .aggregate(let function, let operand):
      let operand = try compile(operand)
      return { frame in
        try function.result(frame.group.map(operand))
      }
    }
  }

  private mutating func compile(_ trees: [ExpressionTree]) throws -> [Computation] {
    var computations: [Computation] = []
    for tree in trees { computations.append(try compile(tree)) }
    return computations
  }

  private mutating func map(
    _ operand: ExpressionTree, _ body: @escaping (StoredValue) throws -> StoredValue
  ) throws -> Computation {
    let operand = try compile(operand)
    return { try body(try operand($0)) }
  }

  private mutating func map(
    _ left: ExpressionTree, _ right: ExpressionTree,
    _ body: @escaping (StoredValue, StoredValue) throws -> StoredValue
  ) throws -> Computation {
    let (left, right) = (try compile(left), try compile(right))
    return { try body(try left($0), try right($0)) }
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

package import MagicEngine
import MagicSQLText
import MagicSchema
import SQLiteEngine

/// Renders the SQL of a query. Parameters are numbered in the order of the query's values.
package struct QueryRenderer {
  private let tables: (ObjectSchema) throws -> QueryTable
  /// The properties of the query, other than its shape, that the SQL depends on.
  let variant: QueryVariant?
  /// Whether all tables exist, so that the SQL stays valid for later runs.
  private(set) var isLasting = true
  var scopes: [RowScope] = []
  /// The keys of the groups. Their parameters are those of the selection.
  var keys: [SQLTerm] = []
  /// The keys of the groups as expressions.
  var keyTrees: [ExpressionTree] = []
  /// The elements of JSON that the open conditions are about.
  var elementScopes: [ElementScope] = []
  /// The elements with which each row is combined; nil if there are none.
  var joinedElements: JoinedElements?
  /// The rows that the traversal of the query reaches, as a subquery; nil if there is none.
  var reachedRows: String?
  /// The rows that the search of the query finds, as a subquery; nil if there is none.
  var foundRows: String?
  private var aliases = 0
  /// The values of the query that are rendered so far. An expression that is rendered twice from the
  /// same position has the same parameters.
  var position = Position()
  /// The position before the sort order of rows that was rendered last.
  var orderPosition = Position()
  /// The parameters that are bound as blobs even if their values are text.
  private var blobParameters: [Int] = []

  struct Position {
    fileprivate var parameters = 0
    fileprivate var lists = 0
    fileprivate var listTables = 0
  }

  private init(
    _ variant: QueryVariant?, _ tables: @escaping (ObjectSchema) throws -> QueryTable
  ) {
    self.variant = variant
    self.tables = tables
  }

  static func render(
    _ query: PreparedQuery, _ variant: QueryVariant?,
    _ tables: @escaping (ObjectSchema) throws -> QueryTable
  ) throws -> (sql: String, isLasting: Bool, blobParameters: [Int]) {
    var renderer = QueryRenderer(variant, tables)
    let sql = try renderer.statement(query)
    return (sql, renderer.isLasting, renderer.blobParameters)
  }

  /// Returns the SQL for a file whose tables have the schemas that the types declare.
  package static func sql(of query: PreparedQuery) throws -> String {
    try render(query, QueryVariant(of: query)) { try QueryTable($0) }.sql
  }

  // MARK: Names

  mutating func table(_ schema: ObjectSchema) throws -> QueryTable {
    let table = try tables(schema)
    if table.name == nil { isLasting = false }
    return table
  }

  mutating func didFindMissingTable() { isLasting = false }

  mutating func alias() -> String {
    defer { aliases += 1 }
    return nextAlias
  }

  /// The next result of ``alias()``.
  var nextAlias: String { "t\(aliases)" }

  mutating func parameter() -> String {
    position.parameters += 1
    return variant?.literals?[position.parameters] ?? "?\(position.parameters)"
  }

  /// Returns a new parameter for the bytes of a text.
  mutating func blobParameter() -> String {
    position.parameters += 1
    blobParameters.append(position.parameters)
    return "?\(position.parameters)"
  }

  /// Returns the form in which the next IN list is rendered.
  private mutating func list() throws -> ListForm {
    guard let variant, position.lists < variant.lists.count else {
      throw MagicError.malformedQuery
    }
    defer { position.lists += 1 }
    return variant.lists[position.lists]
  }

  // MARK: Expressions

  mutating func term(_ expression: QueryExpression) throws -> SQLTerm {
    try term(expression.tree)
  }

  /// Renders an expression tree. A call needs the stack of all cases together, so the operations that
  /// may be nested deeply are separate from the others.
  mutating func term(_ tree: ExpressionTree) throws -> SQLTerm {
    switch tree {
    case .column(let path): return try column(path)
    case .value: return SQLTerm(parameter())
    case .null: return SQLTerm("NULL", mayBeNull: true)
    case .and(let operands): return try .joined(conditions(operands), " AND ", .and)
    case .or(let operands): return try .joined(conditions(operands), " OR ", .or)
    case .not(let operand):
      if let flag = try flag(operand, equals: false) { return flag }
      return Self.negation(try term(operand))
    case .comparison(let comparison, let left, let right):
      return Self.comparison(comparison, try term(left), try term(right))
    case .isNull(let operand): return try nullTest("IS NULL", operand)
    case .isNotNull(let operand): return try nullTest("IS NOT NULL", operand)
    case .arithmetic(let operation, let left, let right):
      return Self.arithmetic(
        operation, try term(left), try term(right), isChecked: isChecked(tree, left, right))
    case .negative(let operand):
      return Self.negative(try term(operand), isChecked: isChecked(tree, operand))
    case .textFunction(let function, let text): return Self.textFunction(function, try term(text))
    case .function(.matches(let type), let operands): return try matches(type, operands)
    case .function(let function, let operands):
      return Self.function(function, try terms(operands))
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
    case .rowCount: return SQLTerm("count(*)")
    case .aggregate(let function, let operand):
      return Self.aggregate(
        function, of: try term(operand).value.text, isReal: isReal(operand))
    case .joined(let operand):
      let text = try term(operand).value.text
      return SQLTerm("group_concat(\(text), \(parameter()))", mayBeNull: true)
    case .window(let function, let operand, let window):
      return try self.window(function, operand, window)
    case .selected(let index):
      guard keys.indices.contains(index) else { throw MagicError.malformedQuery }
      return keys[index]
    case .column, .value, .null, .and, .or, .not, .comparison, .isNull, .isNotNull, .arithmetic,
      .negative, .textFunction, .function:
      throw MagicError.malformedQuery
    }
  }

  private mutating func terms(_ trees: [ExpressionTree]) throws -> [SQLTerm] {
    var terms: [SQLTerm] = []
    for tree in trees { terms.append(try term(tree)) }
    return terms
  }

  private mutating func nullTest(_ test: String, _ tree: ExpressionTree) throws -> SQLTerm {
    SQLTerm("\(try term(tree).operand) \(test)", .comparison)
  }

  private mutating func between(
    _ value: ExpressionTree, _ low: ExpressionTree, _ high: ExpressionTree
  ) throws -> SQLTerm {
    let (value, low, high) = (try term(value), try term(low), try term(high))
    return SQLTerm(
      "\(value.operand) BETWEEN \(low.operand) AND \(high.operand)", .comparison,
      mayBeNull: value.mayBeNull)
  }

  private mutating func inList(_ value: ExpressionTree) throws -> SQLTerm {
    let value = try term(value)
    let list: String
    switch try self.list() {
    // No value is in an empty list, not even nil. The operand is rendered because its parameters
    // are bound.
    case .parameters(0): return SQLTerm("\(value.operand) IN ()", .comparison)
    case .parameters(let count):
      list = (0..<count).map { _ in parameter() }.joined(separator: ", ")
    case .table:
      position.listTables += 1
      let table = StoreConnection.listTable(position.listTables)
      list = "SELECT \"value\" FROM temp.\(table)"
    }
    return SQLTerm("\(value.operand) IN (\(list))", .comparison, mayBeNull: value.mayBeNull)
  }

  // MARK: Operations

  /// Renders an aggregate function.
  ///
  /// - Parameter isReal: whether the values are floating-point numbers. Their sum is NULL if it is
  ///   NaN, as that of infinity and minus infinity; `ifnull` would change it to 0.
  static func aggregate(
    _ function: AggregateFunction, of text: String, isReal: Bool = false
  ) -> SQLTerm {
    switch function {
    case .sum where isReal: SQLTerm("total(\(text))", mayBeNull: true)
    case .sum: SQLTerm("ifnull(sum(\(text)), 0)")
    case .minimum: SQLTerm("min(\(text))", mayBeNull: true)
    case .maximum: SQLTerm("max(\(text))", mayBeNull: true)
    case .average: SQLTerm("avg(\(text))", mayBeNull: true)
    case .distinctCount: SQLTerm("count(DISTINCT \(text))")
    // An aggregate that the connection defines. PostgreSQL: percentile_cont(fraction) WITHIN GROUP.
    case .percentile(let fraction):
      SQLTerm("magic_percentile(\(text), \(fraction))", mayBeNull: true)
    }
  }

  private static func negation(_ term: SQLTerm) -> SQLTerm {
    if term.mayBeNull { return SQLTerm("(\(term.text)) IS NOT TRUE", .comparison) }
    let isExistence = term.level == .atom && term.text.hasPrefix("EXISTS ")
    return SQLTerm("NOT \(isExistence ? term.text : "(\(term.text))")", .not)
  }

  private static func comparison(
    _ comparison: ComparisonOperator, _ left: SQLTerm, _ right: SQLTerm
  ) -> SQLTerm {
    let (left, right) = (left.value, right.value)
    let mayBeNull = left.mayBeNull || right.mayBeNull
    let sign =
      switch comparison {
      case .equal where mayBeNull: "IS"
      case .notEqual where mayBeNull: "IS NOT"
      default: comparison.sign
      }
    let isTwoValued = comparison == .equal || comparison == .notEqual
    return SQLTerm(
      "\(left.text(.arithmetic)) \(sign) \(right.text(.arithmetic))", .comparison,
      mayBeNull: mayBeNull && !isTwoValued)
  }
}

import MagicPostgreSQL
package import MagicRequests
package import MagicSchema

/// The SQL of a query, with the forms of its parameters.
package struct RenderedQuery {
  package let sql: String
  /// The form of each value of the query.
  package let parameters: [ParameterForm]
  /// Whether all tables exist, so that the SQL stays valid for later runs.
  package let isLasting: Bool
  /// The types whose tables the query reads.
  package let types: [ObjectSchema]
  /// Whether the result of a row may be an error, such as a number that is out of range.
  package let mayFail: Bool
  /// Whether the query has a condition in SQL.
  package let hasFragment: Bool
}

/// Renders the SQL of a query for PostgreSQL. Parameters are numbered in the order of the query's
/// values.
///
/// The renderer of SQLite is another one: its expressions have no types, its updates are staged in
/// temporary tables, and it leaves the rows of groups, of DISTINCT and of cycles to rules that
/// PostgreSQL does not have. A common renderer would have a condition for each of them.
package struct QueryRenderer {
  private let tables: (ObjectSchema) throws -> QueryTable
  let kinds: [ValueKind]
  private var isLasting = true
  private(set) var types: [ObjectSchema] = []
  var scopes: [RowScope] = []
  /// The keys of the groups. Their parameters are those of the selection.
  var keys: [SQLTerm] = []
  /// The SQL of the keys by which the rows are grouped.
  var groupings: [String] = []
  /// The texts of groups by the SQL of the columns whose equal texts they are. Empty while conditions of
  /// rows and operands of aggregates are rendered, which are about the texts of the rows.
  var groupTexts: [String: SQLTerm] = [:]
  /// The elements of JSON that the open conditions are about.
  var elementScopes: [ElementScope] = []
  /// The elements of JSON with which each row of the query is combined; nil if there are none.
  var joinedElements: JoinedElements?
  /// The rows that the traversal of the query reaches, as a subquery; nil if there is none.
  var reachedRows: String?
  /// The rows that the search of the query finds, as a subquery; nil if there is none.
  var foundRows: String?
  /// The number of the parameter of that search.
  var foundParameter: Int?
  private var aliases = 0
  /// The number of values that are rendered so far. An expression that is rendered twice from the
  /// same position has the same parameters.
  var position = 0
  /// The position before the sort order of rows that was rendered last.
  var orderPosition = 0
  /// The selected expressions of the statement.
  var selected: [SQLTerm] = []
  private var parameters: [ParameterForm]
  /// The values that are written as literals; nil if values are parameters.
  var literals: [QueryValue]?
  /// The parameters whose type an expression has decided.
  private var decided: Set<Int> = []
  /// Whether the traversals compute depths, which costs more than the rows alone.
  let computesDepths: Bool
  var needsDepths = false
  var mayFail = false
  var hasFragment = false

  init(
    kinds: [ValueKind], computesDepths: Bool,
    _ tables: @escaping (ObjectSchema) throws -> QueryTable
  ) {
    self.kinds = kinds
    self.computesDepths = computesDepths
    self.tables = tables
    parameters = kinds.map { ParameterForm($0) }
  }

  /// - Throws: `MagicError` with `.invalidQuery`.
  package static func render(
    _ query: PreparedQuery, _ kinds: [ValueKind],
    _ tables: @escaping (ObjectSchema) throws -> QueryTable
  ) throws -> RenderedQuery {
    var renderer = QueryRenderer(kinds: kinds, computesDepths: false, tables)
    var sql = try renderer.statement(query)
    if renderer.needsDepths {
      renderer = QueryRenderer(kinds: kinds, computesDepths: true, tables)
      sql = try renderer.statement(query)
    }
    return RenderedQuery(
      sql: sql, parameters: renderer.parameters, isLasting: renderer.isLasting,
      types: renderer.types, mayFail: renderer.mayFail, hasFragment: renderer.hasFragment)
  }

  // MARK: Names

  mutating func table(_ schema: ObjectSchema) throws -> QueryTable {
    let table = try tables(schema)
    if table.name == nil { isLasting = false }
    if !types.contains(where: { $0 === schema }) { types.append(schema) }
    return table
  }

  mutating func didFindMissingTable() { isLasting = false }

  mutating func alias() -> String {
    defer { aliases += 1 }
    return nextAlias
  }

  /// The next result of ``alias()``.
  var nextAlias: String { "t\(aliases)" }

  // MARK: Parameters

  /// Returns the next value.
  mutating func parameter() throws -> SQLTerm {
    guard position < kinds.count else { throw MagicError.malformedQuery }
    position += 1
    guard let type = kinds[position - 1].type else { return .null }
    var term = SQLTerm("$\(position)", type)
    term.parameter = position
    return term
  }

  /// Returns the SQL of the next value as a type.
  mutating func parameter(_ type: PostgreSQLType) throws -> String {
    cast(try parameter(), to: type).operand
  }

  /// Returns the number of the next value, which has an encoding.
  mutating func parameter(_ encoding: ParameterForm.Encoding, _ type: PostgreSQLType) throws -> Int
  {
    guard position < kinds.count else { throw MagicError.malformedQuery }
    position += 1
    parameters[position - 1].type = type
    parameters[position - 1].encoding = encoding
    decided.insert(position)
    return position
  }

  /// Lets the search of the query compute scores.
  mutating func needScores() {
    guard let foundParameter, case .search(let type, _) = parameters[foundParameter - 1].encoding
    else { return }
    parameters[foundParameter - 1].encoding = .search(type: type, isScored: true)
  }

  /// Returns a parameter whose value has a type.
  private mutating func parameter(_ number: Int, as type: PostgreSQLType) -> SQLTerm {
    if let literals, let literal = try? Self.literal(literals[number - 1], type) {
      return SQLTerm(literal, type)
    }
    let form = parameters[number - 1]
    if decided.insert(number).inserted {
      parameters[number - 1].type = type
    } else if form.type != type {
      return Self.converted(SQLTerm(Self.text(number, form.type), form.type), to: type)
    }
    return SQLTerm(Self.text(number, type), type)
  }

  private static func text(_ number: Int, _ type: PostgreSQLType) -> String {
    // Without a collation, texts of parameters alone would be compared as the server's locale says.
    type == .text ? "($\(number) COLLATE \"C\")" : "$\(number)"
  }

  // MARK: Types

  /// Returns an expression as a value of a type.
  mutating func cast(_ term: SQLTerm, to type: PostgreSQLType) -> SQLTerm {
    if let number = term.parameter {
      // A number with a fraction is no integer, and a text is no number.
      let natural = kinds[number - 1].type
      guard type != natural, natural == .float8 && type == .bigint || natural == .bytea else {
        return parameter(number, as: type)
      }
      return Self.converted(parameter(number, as: natural ?? type), to: type)
    }
    return Self.converted(term, to: type)
  }

  private static func converted(_ term: SQLTerm, to type: PostgreSQLType) -> SQLTerm {
    guard let old = term.type, term.text != "NULL" else {
      return SQLTerm(SQLTerm.null(of: type), type, mayBeNull: true)
    }
    guard old != type else { return term }
    let text = term.operand
    let converted =
      switch (old, type) {
      case (.boolean, .bigint): "\(text)::integer::bigint"
      case (.boolean, .float8): "\(text)::integer::double precision"
      case (.bigint, .boolean), (.float8, .boolean): "(\(text) <> 0)"
      case (.uuid, .text): "(upper(\(text)::text) COLLATE \"C\")"
      case (.bytea, .text): "(convert_from(\(text), 'UTF8') COLLATE \"C\")"
      case (.text, .bytea): "convert_to(\(text), 'UTF8')"
      case (_, .text): "(\(text)::text COLLATE \"C\")"
      default: "\(text)::\(type.sql)"
      }
    return SQLTerm(converted, type, mayBeNull: term.value.mayBeNull)
  }

  /// Returns an expression as a condition.
  mutating func condition(_ term: SQLTerm) -> SQLTerm {
    term.type == .boolean && term.parameter == nil ? term : cast(term, to: .boolean)
  }

  /// Returns the type of values of several expressions; nil if all are NULL.
  func commonType(_ terms: [SQLTerm]) -> PostgreSQLType? {
    var common = terms.first { $0.type != nil && $0.parameter == nil }?.type
    for term in terms {
      guard let type = term.type, let other = common else {
        common = common ?? term.type
        continue
      }
      guard type != other else { continue }
      switch (other, type) {
      case (.float8, _), (_, .float8): common = .float8
      case (.boolean, .bigint), (.uuid, .text):
        // The parameter for a truth value or a UUID is an integer or a text.
        if term.parameter == nil { common = type }
      default: break
      }
    }
    return common
  }

  /// Returns expressions as values of their common type.
  mutating func unified(_ terms: [SQLTerm]) -> [SQLTerm] {
    guard let type = commonType(terms) else { return terms.map { cast($0.value, to: .text) } }
    return terms.map { term in
      let value = term.value
      return value.type == type && value.parameter == nil ? value : cast(value, to: type)
    }
  }

  /// Returns an expression with a type of its own.
  mutating func typed(_ term: SQLTerm) -> SQLTerm {
    let value = term.value
    guard value.parameter != nil || value.type == nil else { return value }
    return cast(value, to: value.type ?? .text)
  }
}

package import MagicEngine
import MagicSQLite

/// The inputs of a query's SQL besides the query's shape.
package struct QueryVariant: Hashable {
  /// The step of a two-step update; nil for other queries.
  package let step: UpdateStep?
  /// The form of each list of the query.
  package let lists: [ListForm]
  /// The literals that replace parameters, by the numbers of the parameters; nil if there are none.
  package let literals: [Int: String]?

  /// Returns nil if the SQL depends only on the shape.
  package init?(of query: PreparedQuery, _ step: UpdateStep? = nil) {
    var lists: [ListForm] = []
    for case .list(let members) in query.values { lists.append(ListForm(members)) }
    literals = query.mayHaveIndexLiterals ? Self.literals(of: query) : nil
    if step == nil, lists.isEmpty, literals == nil { return nil }
    self.step = step
    self.lists = lists
  }

  private static func literals(of query: PreparedQuery) -> [Int: String]? {
    let found = query.indexLiterals
    guard !found.isEmpty else { return nil }
    var literals: [Int: String] = [:]
    var parameter = 0
    for (index, value) in query.values.enumerated() {
      guard case .list(let members) = value else {
        parameter += 1
        literals[parameter] = found[index]
        continue
      }
      if case .parameters(let count) = ListForm(members) { parameter += count }
    }
    return literals
  }

  /// Whether temporary tables contain values while the statement runs.
  package var hasTables: Bool { lists.contains(.table) }
}

/// The steps of an update whose values are computed from rows other than the updated row. A single
/// UPDATE would read rows that it has already changed.
package enum UpdateStep: Hashable {
  /// Computes the values and stores them in a temporary table.
  case storing
  /// Sets the columns to the stored values.
  case applying
}

/// How a statement receives the values of a list.
package enum ListForm: Hashable {
  /// As this number of parameters. The last value is repeated for the remaining ones.
  case parameters(Int)
  /// In a temporary table.
  case table

  /// The maximum number of values that are passed as parameters.
  private static var parameterLimit: Int { 64 }

  /// Limits the number of forms: the number of parameters is 0 or a power of two.
  init(_ members: [QueryValue]) {
    guard members.count <= Self.parameterLimit else {
      self = .table
      return
    }
    var places = members.isEmpty ? 0 : 1
    while places < members.count { places *= 2 }
    self = .parameters(places)
  }
}

/// The compiled statements of queries.
struct QueryStatementCache {
  /// The statements of queries without variants, which are found without copying the shape.
  private var single = StatementCache<QueryShape>(capacity: 128)
  private var variants = StatementCache<Key>(capacity: 128)

  private struct Key: Hashable {
    let shape: QueryShape
    let variant: QueryVariant
  }

  subscript(shape: QueryShape, variant: QueryVariant?) -> SQLiteStatement? {
    mutating get {
      guard let variant else { return single[shape] }
      return variants[Key(shape: shape, variant: variant)]
    }
    set {
      guard let variant else {
        single[shape] = newValue
        return
      }
      variants[Key(shape: shape, variant: variant)] = newValue
    }
  }

  mutating func removeAll() {
    single.removeAll()
    variants.removeAll()
  }
}

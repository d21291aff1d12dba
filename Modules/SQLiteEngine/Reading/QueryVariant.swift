package import MagicEngine
import MagicSQLite

/// What the SQL of a query depends on beside the query's shape.
package struct QueryVariant: Hashable {
  /// The step of an update in two.
  package let step: UpdateStep?
  /// How the statement takes each of the query's lists.
  package let lists: [ListForm]

  /// - Returns: nil where the SQL depends on the shape alone.
  package init?(of query: PreparedQuery, _ step: UpdateStep? = nil) {
    var lists: [ListForm] = []
    for case .list(let members) in query.values { lists.append(ListForm(members)) }
    if step == nil, lists.isEmpty { return nil }
    self.step = step
    self.lists = lists
  }

  /// Whether values lie in temporary tables while the statement runs.
  package var hasTables: Bool { lists.contains(.table) }
}

/// The steps of an update whose values are computed of other rows than the changed ones: an UPDATE
/// sees the rows that it has changed.
package enum UpdateStep: Hashable {
  /// The values are computed and stored in a temporary table.
  case storing
  /// The columns are set to the stored values.
  case applying
}

/// How a statement takes the values of a list.
package enum ListForm: Hashable {
  /// As so many parameters; the last value fills them up.
  case parameters(Int)
  /// In a temporary table.
  case table

  /// Up to so many values are parameters.
  private static var parameterLimit: Int { 64 }

  /// Few forms: the number of parameters is a power of two, or 0.
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
  /// Those of which a query has one: they are found without a copy of the shape.
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

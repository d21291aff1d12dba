import MagicSchema
import MagicStore

/// A query as it is run once: what is wanted of it, its shape and its values.
struct PreparedQuery: Sendable {
  enum Kind: Sendable, Equatable {
    case objects
    /// The z-indexes of the rows.
    case rows
    case count
    case exists
    /// The plan's selection.
    case tuples
    /// How many rows the plan's selection has.
    case tupleCount
    /// The objects and, behind their columns, the plan's selection.
    case page
    /// One row of the aggregates in the plan's selection.
    case aggregates
    case delete
    /// The columns with these numbers get the values of the plan's selection.
    case update([Int])
    /// The same values, computed into the table of new values.
    case newValues([Int])
    /// The columns with these numbers get what is in the table of new values.
    case updateWithNewValues([Int])
  }

  let schema: ObjectSchema
  let plan: QueryPlan
  let kind: Kind
  let shape: [Int]
  let values: [QueryValue]

  /// - Throws: `MagicError` where the query makes no sense.
  init<Model: MagicObject>(_ type: Model.Type, _ plan: QueryPlan, _ kind: Kind) throws {
    schema = try ObjectSchema.of(type)
    _ = try schema.reach
    if let error = plan.error { throw error }
    self.plan = plan
    self.kind = kind

    var shape =
      [schema.ordinal] + kind.words + [
        plan.isRandom ? 1 : 0, plan.isDistinct ? 1 : 0, plan.limit == nil ? 0 : 1,
        plan.offset == nil ? 0 : 1, plan.groupLimit == nil ? 0 : 1,
      ]
    var values: [QueryValue] = []
    func add(_ code: ExpressionCode) throws {
      if let error = code.error { throw error }
      shape += code.words
      values += code.values
    }
    func add(_ codes: [ExpressionCode]) throws {
      shape.append(codes.count)
      for code in codes { try add(code) }
    }
    try add(plan.selection)
    if !plan.cutsRowsFirst { try add(plan.filter.map { [$0] } ?? []) }
    try add(plan.groups)
    try add(plan.having.map { [$0] } ?? [])
    for order in plan.groupOrders { shape.append(order.isDescending ? 1 : 0) }
    try add(plan.groupOrders.map(\.code))
    if let limit = plan.groupLimit { values.append(.integer(Int64(limit))) }
    if plan.cutsRowsFirst { try add(plan.filter.map { [$0] } ?? []) }
    for order in plan.orders { shape.append(order.isDescending ? 1 : 0) }
    try add(plan.orders.map(\.code))
    if let limit = plan.limit { values.append(.integer(Int64(limit))) }
    if let offset = plan.offset { values.append(.integer(Int64(offset))) }
    self.shape = Self.canonical(shape)
    self.values = values
  }

  /// Numbers the scopes of members by their places, so that two closures alike have one shape.
  private static func canonical(_ shape: [Int]) -> [Int] {
    guard shape.contains(where: { $0 >= Scope.firstOfMembers }) else { return shape }
    var numbers: [Int: Int] = [:]
    return shape.map { word in
      guard word >= Scope.firstOfMembers else { return word }
      return numbers[word]
        ?? {
          let number = Scope.firstOfMembers + numbers.count
          numbers[word] = number
          return number
        }()
    }
  }

  /// Whether values lie in temporary tables while the query runs.
  var hasLists: Bool { values.contains { if case .list = $0 { true } else { false } } }

  /// The SQL for a file whose tables have the types' shapes.
  func sql() throws -> String {
    try QueryRenderer.render(self) { QueryTable($0) }.sql
  }
}

extension PreparedQuery.Kind {
  fileprivate var words: [Int] {
    switch self {
    case .objects: [0]
    case .rows: [1]
    case .count: [2]
    case .exists: [3]
    case .tuples: [4]
    case .page: [5]
    case .aggregates: [6]
    case .tupleCount: [9]
    case .delete: [7]
    case .update(let columns): [8, columns.count] + columns
    case .newValues(let columns): [10, columns.count] + columns
    case .updateWithNewValues(let columns): [11, columns.count] + columns
    }
  }
}

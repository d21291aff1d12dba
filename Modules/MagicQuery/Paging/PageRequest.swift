import MagicEngine
import MagicGraph
package import MagicSchema
import MagicStore

/// A request for a page of the objects of a query.
struct PageRequest<Model: MagicObject>: ReadRequest {
  /// The queries for the objects. The second one, if there is one, has those that follow the first.
  let parts: [PreparedQuery]
  /// The query without its limit.
  private let all: QueryDescription
  private let cursor: MagicCursor?
  private let limit: Int
  private let isBackward: Bool
  private let loading: RelationshipLoading
  /// The digest of the type and the order of the query.
  private let order: UInt64

  init(
    _ plan: QueryDescription, _ loading: RelationshipLoading, _ cursor: MagicCursor?, limit: Int,
    isBackward: Bool
  ) throws {
    self.cursor = cursor
    self.limit = limit
    self.isBackward = isBackward
    self.loading = loading
    let schema = try ObjectSchema.of(Model.self)
    try Self.check(plan, limit, schema)
    let rowID = QueryExpression(tree: .column(.rowID(of: schema, in: .root)))
    var page = plan.ranked(of: schema)
    page.orders.append(QueryDescription.SortTerm(rowID, isDescending: false))
    if let error = page.orders.lazy.compactMap(\.expression.error).first { throw error }
    order = page.orderDigest(of: schema)
    if isBackward { page = page.reversed }
    page.selection = page.orders.map(\.expression)
    all = page
    var parts = [page]
    if let cursor {
      guard cursor.order == order, cursor.values.count == page.orders.count,
        case .integer? = cursor.values.last
      else {
        throw MagicError(
          .invalidQuery,
          "The cursor belongs to a query of another type or order. Use it with the query whose page "
            + "it comes from.", type: schema.typeName)
      }
      let values = cursor.values.map(\.queryValue)
      try page.checkPosition(values, in: schema)
      parts = page.parts(
        after: values, in: schema,
        includesRow: cursor.isAfter == isBackward)
    }
    self.parts = try parts.map { try Self.prepare($0, limit) }
  }

  private static func prepare(_ plan: QueryDescription, _ limit: Int) throws -> PreparedQuery {
    var page = plan
    page.limit(to: limit)
    return try PreparedQuery(Model.self, page, .page)
  }

  private static func check(
    _ plan: QueryDescription, _ limit: Int, _ schema: ObjectSchema
  ) throws {
    if let error = plan.error { throw error }
    let reason: String? =
      if plan.isRandom {
        "A query in random order has no pages."
      } else if plan.hasLimitOrOffset {
        "A query with a limit or an offset has no pages. A page has its own limit."
      } else if limit < 1 {
        "The limit of a page is not positive. Use 1 or more."
      } else {
        nil
      }
    if let reason { throw MagicError(.invalidQuery, reason, type: schema.typeName) }
  }

  func read(on reader: any EngineReader) throws -> MagicPage<Model> {
    try reader.inSnapshot {
      var (found, last) = try reader.page(of: Model.self, parts[0], loading)
      if found.count < limit, parts.count > 1 {
        let rest = try Self.prepare(parts[1].plan, limit - found.count)
        let (more, end) = try reader.page(of: Model.self, rest, loading)
        found += more
        if !more.isEmpty { last = end }
      }
      let edge = found.count == limit && !last.isEmpty ? try cursor(after: last, on: reader) : nil
      return isBackward
        ? MagicPage(objects: found.reversed(), next: cursor, previous: edge)
        : MagicPage(objects: found, next: edge, previous: cursor)
    }
  }

  /// Returns the place after the last row that was read, or nil if no row follows.
  private func cursor(
    after last: [QueryValue], on reader: any EngineReader
  ) throws -> MagicCursor? {
    var plan = all
    plan.selection = []
    let schema = parts[0].schema
    let exists = try plan.parts(after: last, in: schema).contains { part in
      try ExistsRequest(query: try part.exists(Model.self)).read(on: reader)
    }
    guard exists else { return nil }
    return MagicCursor(
      order: order, values: last.map { MagicCursor.Value($0) }, isAfter: !isBackward)
  }

  func region(on reader: any EngineReader) throws -> ReadRegion? {
    try ObjectsRequest<Model>(parts[0], loading).region(on: reader)
  }
}

extension QueryDescription {
  /// A digest of the type and the order of the query, which is the same in each process.
  package func orderDigest(of schema: ObjectSchema) -> UInt64 {
    var hasher = ShapeHasher(usesNames: true)
    hasher.combine(schema.typeName)
    hasher.combine(orders.map(\.term))
    if !groups.isEmpty { hasher.combine(groups.map(\.tree)) }
    // A member of JSON, the unit of a date, or a factor is a value.
    for value in orders.lazy.flatMap(\.expression.values) { hasher.combine(value) }
    return hasher.hash
  }
}

extension MagicCursor.Value {
  init(_ value: QueryValue) {
    self =
      switch value {
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real.bitPattern)
      case .text(let text): .text(text)
      case .blob(let blob): .blob(blob)
      case .null, .object, .list: .null
      }
  }

  package var queryValue: QueryValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let bits): .real(Double(bitPattern: bits))
    case .text(let text): .text(text)
    case .blob(let blob): .blob(blob)
    }
  }
}

extension ShapeHasher {
  /// Combines a value of an order.
  fileprivate mutating func combine(_ value: QueryValue) {
    switch value {
    case .null: combine(0)
    case .integer(let integer): combine([1, Int(truncatingIfNeeded: integer)])
    case .real(let real): combine([2, Int(truncatingIfNeeded: real.bitPattern)])
    case .text(let text):
      combine(3)
      combine(text)
    case .blob(let blob):
      combine(4)
      combine(blob.map { Int($0) })
    // The row IDs of objects are assigned by databases.
    case .object: combine(5)
    case .list(let values):
      combine([6, values.count])
      for value in values { combine(value) }
    }
  }
}

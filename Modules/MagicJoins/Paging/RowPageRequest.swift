import MagicEngine
import MagicQuery
import MagicSchema
import MagicStore

/// A request for a page of the rows of a selection.
struct RowPageRequest<Row>: ReadRequest {
  private let schema: ObjectSchema
  /// The selections for the rows. The second one, if there is one, has those that follow the first.
  private let parts: [QueryDescription]
  private let reader: RowReader<Row>
  private let cursor: MagicCursor?
  private let limit: Int
  private let isBackward: Bool
  /// The digest of the type, the order and the keys of groups.
  private let order: UInt64
  /// The number of the terms by which rows are ordered.
  private let terms: Int

  init(
    _ schema: ObjectSchema, _ plan: QueryDescription, _ reader: RowReader<Row>,
    _ cursor: MagicCursor?, limit: Int, isBackward: Bool
  ) throws {
    (self.schema, self.reader, self.cursor) = (schema, reader, cursor)
    (self.limit, self.isBackward) = (limit, isBackward)
    try plan.checkPages(limit, of: schema)
    var page = try plan.ranked(of: schema).orderedUniquely(in: schema)
    if let error = page.orders.lazy.compactMap(\.expression.error).first { throw error }
    order = page.orderDigest(of: schema)
    terms = page.orders.count
    if isBackward { page = page.reversed }
    page.selection += page.orders.map(\.expression)
    guard let cursor else {
      parts = [page]
      return
    }
    guard cursor.order == order, cursor.values.count == terms else {
      throw MagicError(
        .invalidQuery,
        "The cursor belongs to a selection of another type, order or grouping. Use it with the "
          + "selection whose page it comes from.", type: schema.typeName)
    }
    var conditions = QueryDescription()
    conditions.orders = page.orders
    let values = cursor.values.map(\.queryValue)
    try conditions.checkPosition(values, in: schema)
    parts = conditions.parts(
      after: values, in: schema,
      includesRow: cursor.isAfter == isBackward
    )
    .map { part in
      var rows = page
      guard let condition = part.filter else { return rows }
      if page.groups.isEmpty {
        rows.restrict(to: condition)
      } else {
        rows.restrictGroups(to: condition)
      }
      return rows
    }
  }

  /// The query for some rows of a part.
  private func query(_ part: QueryDescription, limit: Int) throws -> PreparedQuery {
    var part = part
    if part.groups.isEmpty {
      part.limit(to: limit)
    } else {
      (part.groupOrders, part.orders) = (part.orders, [])
      part.limitGroups(to: limit)
    }
    return try PreparedQuery(schema, part, .tuples)
  }

  func read(on engine: any EngineReader) throws -> MagicRowPage<Row> {
    try engine.inSnapshot {
      let fields = FieldBuffer()
      let width = reader.objects.count + terms
      var count = 0
      // One row more shows whether a row follows the page.
      for part in parts where count <= limit {
        try engine.select(query(part, limit: limit + 1 - count)) { batch in
          count += batch.count
          fields.append(batch)
        }
      }
      let kept = FieldRows(fields, width: width, count: min(count, limit))
      let rows = SelectedRows(fields: kept, objects: try reader.objects.load(kept, on: engine))
      let found = try (0..<kept.count).map { try reader.read(rows, $0, 0) }
      let edge = count > limit ? cursor(after: kept) : nil
      return isBackward
        ? MagicRowPage(rows: found.reversed(), next: cursor, previous: edge)
        : MagicRowPage(rows: found, next: edge, previous: cursor)
    }
  }

  private func cursor(after rows: FieldRows) -> MagicCursor {
    let first = reader.objects.count
    let values = (first..<first + terms).map { column in
      MagicCursor.Value(rows.field(rows.count - 1, column))
    }
    return MagicCursor(order: order, values: values, isAfter: !isBackward)
  }

  func region(on engine: any EngineReader) throws -> ReadRegion? {
    try RowsRequest(query(parts[0], limit: limit), reader).region(on: engine)
  }
}

extension QueryDescription {
  fileprivate func checkPages(_ limit: Int, of schema: ObjectSchema) throws {
    if let error { throw error }
    let reason: String? =
      if isRandom {
        "A selection in random order has no pages."
      } else if hasLimitOrOffset || groupLimit != nil || topGroups != nil {
        "A selection with a limit or an offset has no pages. A page has its own limit."
      } else if join?.json != nil {
        "A selection of elements of JSON has no pages. Group the elements."
      } else if isDistinct, !groups.isEmpty {
        "A selection of groups with distinct() has no pages. Groups are distinct by their keys."
      } else if limit < 1 {
        "The limit of a page is not positive. Use 1 or more."
      } else {
        nil
      }
    if let reason { throw MagicError(.invalidQuery, reason, type: schema.typeName) }
  }

  /// The selection with an order in which no two rows are equal. Distinct rows become groups.
  fileprivate func orderedUniquely(in schema: ObjectSchema) throws -> QueryDescription {
    var page = self
    if isDistinct {
      page.isDistinct = false
      page.groups = selection
      guard orders.allSatisfy({ GroupKeys(selection).determine($0.expression) }) else {
        throw MagicError(
          .invalidQuery,
          "The pages of a distinct selection are ordered by an expression that is not selected. "
            + "Select it too.", type: schema.typeName)
      }
    }
    guard !page.groups.isEmpty else {
      var rows = [ColumnPath.rowID(of: schema, in: .root)]
      if let join, case .rows(let other) = join.source {
        rows.append(.rowID(of: other, in: join.scope))
      }
      page.orders += rows.map {
        SortTerm(QueryExpression(tree: .column($0)), isDescending: false)
      }
      return page
    }
    let keys = page.groups.indices.map { index in
      let key = page.groups[index]
      return SortTerm(
        key.isSelected ? QueryExpression(tree: .selected(index)) : key, isDescending: false)
    }
    page.orders = page.groupOrders + page.orders + keys
    page.groupOrders = []
    return page
  }
}

extension MagicCursor.Value {
  fileprivate init(_ field: FieldReader) {
    switch field.storageClass {
    case nil: self = .null
    case .integer: self = .integer(field.integer)
    case .real: self = .real(field.real.bitPattern)
    case .text: self = .text(String(decoding: field.bytes, as: UTF8.self))
    case .blob: self = .blob(Array(field.bytes))
    }
  }
}

package import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import Magical
import PostgreSQLTables

/// Reads members of collections.
extension PostgreSQLReader {
  /// Returns the statements of the owner's type if all tables of a collection exist.
  private func collection(
    _ index: Int, of schema: ObjectSchema
  ) throws -> (statements: TypeStatements, link: LinkNames)? {
    guard let statements = try statements(of: schema) else { return nil }
    if let join = try schema.collections[index].joinType,
      try self.statements(of: join.schema) == nil
    {
      return nil
    }
    return (statements, statements.links[index])
  }

  package func fetch(
    _ plan: LinkPlan, of schema: ObjectSchema, into links: inout FetchedLinks,
    isWanted: (Int64) -> Bool
  ) throws {
    guard let (statements, link) = try collection(links.collection, of: schema) else { return }
    let columns = "l.\(link.owner), l.\(link.target)" + (link.key.map { ", l.\($0)" } ?? "")
    let order = "ORDER BY l.\(link.owner), \(link.order)"
    let select = "SELECT \(columns) FROM \(link.table) AS l WHERE l.\(link.owner)"
    let sql: String
    defer { digest?.add(links.links.count) }
    var appender = LinkAppender(schema, link)
    session.fields.removeAll()
    switch plan {
    case .owners(let list):
      // The caller ignores other owners.
      if let range = list.copiedRange {
        return try copy(
          "\(select) BETWEEN \(range.lowerBound) AND \(range.upperBound) \(order)",
          types: [.bigint, .bigint] + (link.key == nil ? [] : [link.keyType]), schema
        ) { try append($0, to: &links, &appender, isWanted) }
      }
      session.fields.append(integers: list.rowIDs)
      sql = "\(select) = ANY($1) \(order)"
    case .reached(let list):
      session.fields.append(integers: list.rowIDs)
      sql = """
        WITH RECURSIVE reached (z) AS (SELECT unnest($1) UNION SELECT l.\(link.target) FROM reached \
        JOIN \(link.table) AS l ON l.\(link.owner) = reached.z) \(select) IN (SELECT z FROM reached) \
        \(order)
        """
    }
    let result = try run(statements.statement(sql, [.bigint.array]), schema)
    defer { withExtendedLifetime(result) {} }
    for row in 0..<result.count {
      try append(ResultRow(result, row), to: &links, &appender, isWanted)
    }
  }

  /// What the join rows of a fetch have in common.
  private struct LinkAppender {
    let schema: ObjectSchema
    let link: LinkNames
    var cancellation = CancellationCheck()
    /// The owner of the last join row, and whether its members are wanted.
    var current: (owner: Int64, isWanted: Bool)?

    init(_ schema: ObjectSchema, _ link: LinkNames) { (self.schema, self.link) = (schema, link) }
  }

  private func append(
    _ row: some PostgreSQLRow, to links: inout FetchedLinks, _ appender: inout LinkAppender,
    _ isWanted: (Int64) -> Bool
  ) throws {
    try appender.cancellation.count()
    let owner = row.value(0).integer
    if appender.current?.owner != owner { appender.current = (owner, isWanted(owner)) }
    guard appender.current?.isWanted == true else { return }
    let target = row.value(1).integer
    let position = links.column.kind == .list ? row.value(2).integer : 0
    links.append(FetchedLinks.Link(owner: owner, target: target, position: position))
    note(owner, target, position)
    guard let keys = links.keys else { return }
    let key = keyColumn(row.value(2), appender.link)
    digest?.add(key)
    try keys.append(key, of: links.column, appender.schema, owner: owner)
  }

  private func keyColumn(_ value: PostgreSQLValue, _ link: LinkNames) -> ResultColumn {
    session.texts.removeAll()
    return ResultColumn(value, link.keyType, session.texts)
  }

  /// Adds a join row to the digest.
  private func note(_ values: Int64...) {
    guard let digest else { return }
    for value in values { digest.add(integer: value) }
  }

  package func fetch(
    _ plan: MemberPlan, of owner: Int64, in collection: Int, of schema: ObjectSchema,
    target: ObjectSchema, graph: RowGraph?, into list: LinkList,
    use: (ListEntry) -> ListEntryUse
  ) throws -> FetchedMemberRows {
    let column = schema.collections[collection]
    guard let (statements, link) = try self.collection(collection, of: schema),
      let targets = try self.statements(of: target)
    else { return FetchedMemberRows([]) }
    session.fields.removeAll()
    session.fields.append(integer: owner)
    let (condition, types, limit) = try conditions(of: plan, column, schema, link, owner)
    let key = "l.\(link.key ?? link.target)"
    let sort = link.sort.map { "l.\($0)" } ?? "0::bigint"
    let statement = statements.statement(
      "SELECT \(key), \(sort), \(targets.selected("r")) FROM \(link.table) AS l "
        + "JOIN \(targets.table) AS r ON r.\"z_index\" = l.\(link.target) "
        + "WHERE l.\(link.owner) = $1\(condition)", [.bigint] + types)
    let result = try run(statement, schema)
    defer { withExtendedLifetime((result, targets)) {} }
    var packer = packer(for: target, graph)
    var known: [Int64: PackedRow] = [:]
    var last: Int?
    let isList = column.kind == .list
    rows: for index in 0..<result.count {
      let row = TypeRow(ResultRow(result, index), first: 2, targets, session.texts)
      let rowID = row.rowID
      let position = isList ? result.integer(index, 0) : 0
      switch use(ListEntry(position: position, target: rowID)) {
      case .take: break
      case .pass: continue rows
      case .stop: break rows
      }
      session.texts.removeAll()
      let packed = try known[rowID] ?? packer.append(row, rowID: rowID)
      known[rowID] = packed
      note(rowID, position)
      list.append(packed, rowID, position: position)
      last = index
      guard let keys = list.keys else { continue }
      let key = keyColumn(result.value(index, 0), link)
      digest?.add(key)
      try keys.append(key, of: column, schema, owner: owner)
    }
    let end = list.targets.count == limit ? last : nil
    return FetchedMemberRows(
      packer.takeChunks(), last: end.map { self.end(result, $0, column, link) })
  }

  /// What a page that ends with a row continues after.
  private func end(
    _ result: PostgreSQLResult, _ row: Int, _ column: CollectionColumn, _ link: LinkNames
  ) -> QueryValue {
    if column.isListThrough {
      return .list([
        .integer(result.integer(row, 1)), .integer(result.integer(row, 0)),
      ])
    }
    defer { withExtendedLifetime(result) {} }
    let value = keyColumn(result.value(row, 0), link)
    switch value.kind {
    case .null: return .null
    case .integer: return .integer(value.integer)
    case .real: return .real(value.real)
    case .text: return .text(String(decoding: value.textBytes, as: UTF8.self))
    case .blob: return .blob(Array(value.blobBytes))
    }
  }

  /// Returns the end of a statement that selects members, and the maximum number of members. Appends
  /// the parameters that follow the owner.
  private func conditions(
    of plan: MemberPlan, _ column: CollectionColumn, _ schema: ObjectSchema, _ link: LinkNames,
    _ owner: Int64
  ) throws -> (sql: String, types: [PostgreSQLType], limit: Int) {
    let fields = session.fields
    let order = " ORDER BY \(link.order)"
    let key = "l.\(link.key ?? link.target)"
    let sort = link.sort.map { "l.\($0)" } ?? key
    switch plan {
    case .all: return (order, [], .max)
    case .first(let count, let offset):
      fields.append(integer: Int64(count))
      fields.append(integer: Int64(offset))
      return ("\(order) LIMIT $2 OFFSET $3", [.bigint, .bigint], count)
    case .after(.list(let values), let limit):
      for value in values { append(value) }
      fields.append(integer: Int64(limit))
      return (
        " AND (\(sort), \(key)) > ($2, $3)\(order) LIMIT $4",
        [.bigint, .bigint, .bigint], limit
      )
    case .after(let value, let limit):
      append(value)
      fields.append(integer: Int64(limit))
      return (" AND \(key) > $2\(order) LIMIT $3", [link.keyType, .bigint], limit)
    }
  }

  private func append(_ value: QueryValue) {
    switch value {
    case .null, .list, .object: session.fields.appendNull()
    case .integer(let integer): session.fields.append(integer: integer)
    case .real(let real): session.fields.append(real: real)
    case .text(let text): session.fields.append(text: text)
    case .blob(let blob): blob.withUnsafeBytes { session.fields.append(bytes: $0) }
    }
  }

  // MARK: One member

  /// Selects from the join rows of an owner. The parameters after it are integers.
  private func select(
    _ what: String, _ rest: String, _ numbers: [Int64], of owner: Int64, in collection: Int,
    of schema: ObjectSchema
  ) throws -> PostgreSQLResult? {
    guard let (statements, link) = try self.collection(collection, of: schema) else { return nil }
    session.fields.removeAll()
    session.fields.append(integer: owner)
    for number in numbers { session.fields.append(integer: number) }
    let statement = statements.statement(
      "SELECT \(what) FROM \(link.table) AS l WHERE l.\(link.owner) = $1\(rest)",
      [.bigint] + numbers.map { _ in .bigint })
    return try run(statement, schema)
  }

  package func countMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int {
    let result = try select("count(*)", "", [], of: owner, in: collection, of: schema)
    return noted(Int(result?.integer(0, 0) ?? 0))
  }

  package func hasMember(
    _ target: Int64, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Bool {
    let result = try select(
      "", " AND \"target\" = $2 LIMIT 1", [target], of: owner, in: collection, of: schema)
    return noted(result.map { $0.count > 0 } ?? false)
  }

  package func hasMember(
    _ entry: ListEntry, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Bool {
    let result = try select(
      "", " AND \"target\" = $2 AND \"position\" = $3 LIMIT 1", [entry.target, entry.position],
      of: owner, in: collection, of: schema)
    return noted(result.map { $0.count > 0 } ?? false)
  }

  package func nearestPosition(
    to entry: ListEntry, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int64? {
    // The difference of two positions can exceed the range of bigint.
    let result = try select(
      "\"position\"",
      " AND \"target\" = $2 ORDER BY abs(\"position\"::numeric - $3), \"position\" LIMIT 1",
      [entry.target, entry.position], of: owner, in: collection, of: schema)
    guard let result, result.count > 0 else { return nil }
    return result.integer(0, 0)
  }

  package func member(
    forKey key: any LinkKeys, of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> Int64? {
    guard let (statements, link) = try self.collection(collection, of: schema) else { return nil }
    session.fields.removeAll()
    session.fields.append(integer: owner)
    do {
      var writer = ParameterWriter(session.fields)
      try key.write(0, to: &writer)
    } catch let error as MagicalError {
      throw MagicError(
        error, schema: schema, collection: schema.collections[collection], row: owner)
    }
    let statement = statements.statement(
      "SELECT \(link.target) FROM \(link.table) AS l WHERE l.\(link.owner) = $1 "
        + "AND l.\(link.key ?? link.target) = $2", [.bigint, link.keyType])
    let result = try run(statement, schema)
    let found = result.count > 0 ? result.integer(0, 0) : nil
    _ = noted(found == nil ? 0 : 1)
    return found
  }
}

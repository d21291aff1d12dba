package import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import Magical
import PostgreSQLTables

/// Reads rows of types.
extension PostgreSQLReader {
  package func hasTable(of schema: ObjectSchema) throws -> Bool {
    try statements(of: schema) != nil
  }

  package func fetch(
    _ plan: FetchPlan, of schema: ObjectSchema, graph: RowGraph?, isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows {
    guard let statements = try statements(of: schema) else { return .none }
    digest?.add(statement: schema.tableName)
    if let rows = try fetchByCopy(plan, statements, graph, isWanted: isWanted) { return rows }
    let fields = session.fields
    fields.removeAll()
    let statement: PostgreSQLStatement
    switch plan {
    case .all: statement = statements.statement(.selectAll)
    case .after(let rowID, let limit):
      fields.append(integer: rowID ?? .min)
      fields.append(integer: Int64(limit))
      statement = statements.statement(.selectAfter)
    case .rows(let list):
      fields.append(integers: list.rowIDs)
      statement = statements.statement(.selectListed)
    case .reached(let list, let column):
      fields.append(integers: list.rowIDs)
      statement = selectReached(along: column, statements)
    case .primary:
      try appendParameters(schema.primary.map { [$0] } ?? [], statements)
      statement = statements.statement(.selectByPrimary)
    case .primaries:
      return try fetch(.selectByPrimaries, schema.primary.map { [$0] } ?? [], statements, graph)
    case .keys: return try fetch(.selectByKeys, schema.key, statements, graph)
    case .owners(let target, let property, let after, let limit):
      fields.append(integer: target)
      fields.append(integer: after ?? .min)
      fields.append(integer: Int64(limit))
      statement = try selectOwners(along: property, statements)
    case .query(let query): return try fetch(query, statements, graph, isWanted: isWanted)
    }
    let result = try run(statement, schema, isLookUp: plan.isLookUp)
    if case .all = plan { statements.rowCount = result.count }
    var packer = packer(for: schema, graph, isSingle: result.count == 1)
    let count = try pack(result, statements, into: &packer, isWanted: isWanted)
    digest?.add(count)
    return FetchedRows(packer.takeChunks(), count: count)
  }

  /// - Parameter isSingle: whether one row is expected.
  func packer(
    for schema: ObjectSchema, _ graph: RowGraph?, isSingle: Bool = false
  ) -> RowPacker {
    RowPacker(
      schema: schema, store: token, lease: schema.hasLazies ? makeLease() : nil, graph: graph,
      digest: digest, isSingle: isSingle)
  }

  /// Packs the rows of a result.
  ///
  /// - Returns: the number of wanted rows.
  func pack(
    _ result: PostgreSQLResult, _ statements: TypeStatements, into packer: inout RowPacker,
    isWanted: ((Int64) -> Bool)?
  ) throws -> Int {
    defer { withExtendedLifetime((result, statements)) {} }
    var (count, last) = (0, Int64?.none)
    var cancellation = CancellationCheck()
    for index in 0..<result.count {
      try cancellation.count()
      let row = TypeRow(ResultRow(result, index), statements, session.texts)
      let rowID = row.rowID
      if let isWanted, !isWanted(rowID) { continue }
      count += 1
      if rowID == last { continue }
      last = rowID
      session.texts.removeAll()
      try packer.append(row, rowID: rowID)
    }
    return count
  }

  /// Fetches the rows with the values in ``parameters``, which are those of columns.
  private func fetch(
    _ kind: TypeStatements.Kind, _ columns: [Int], _ statements: TypeStatements, _ graph: RowGraph?
  ) throws -> FetchedRows {
    let schema = statements.schema
    guard !columns.isEmpty else { return .none }
    let count = parameters.count / columns.count
    for (place, column) in columns.enumerated() {
      session.fields.beginArray(of: statements.types[column], count: count)
      for index in 0..<count {
        try encode(parameters[index * columns.count + place], column, statements)
      }
      session.fields.endArray()
    }
    let result = try run(statements.statement(kind), schema)
    defer { withExtendedLifetime((result, statements)) {} }
    var packer = packer(for: schema, graph, isSingle: result.count == 1)
    var rowIDs: [Int64] = []
    var known = Set<Int64>()
    for index in 0..<result.count {
      let row = TypeRow(ResultRow(result, index), statements, session.texts)
      rowIDs.append(row.rowID)
      guard known.insert(row.rowID).inserted else { continue }
      session.texts.removeAll()
      try packer.append(row, rowID: row.rowID)
    }
    digest?.add(rowIDs.count)
    return FetchedRows(packer.takeChunks(), count: known.count, rowIDs: rowIDs)
  }

  /// Appends the first values of ``parameters`` as those of columns.
  private func appendParameters(_ columns: [Int], _ statements: TypeStatements) throws {
    for (place, column) in columns.enumerated() {
      try encode(parameters[place], column, statements)
    }
  }

  private func encode(_ field: Field, _ column: Int, _ statements: TypeStatements) throws {
    try session.encode(field, of: parameters, column, statements)
  }

  private func selectReached(
    along column: Int, _ statements: TypeStatements
  ) -> PostgreSQLStatement {
    let (table, name) = (statements.table, statements.schema.columns[column].name.quoted)
    return statements.statement(
      """
      WITH RECURSIVE reached (z) AS (SELECT unnest($1) UNION SELECT r.\(name) FROM reached \
      JOIN \(table) AS r ON r."z_index" = reached.z WHERE r.\(name) IS NOT NULL) \
      SELECT \(statements.selected()) FROM \(table) \
      WHERE "z_index" IN (SELECT z FROM reached) ORDER BY "z_index"
      """, [.bigint.array])
  }

  private func selectOwners(
    along property: PropertySchema, _ statements: TypeStatements
  ) throws -> PostgreSQLStatement {
    let schema = statements.schema
    let condition: String
    if let collection = schema.collections.firstIndex(where: { $0 === property }) {
      let link = statements.links[collection]
      condition =
        "\"z_index\" IN (SELECT l.\(link.owner) FROM \(link.table) AS l WHERE l.\(link.target) = $1)"
    } else {
      condition = "\(property.name.quoted) = $1"
    }
    return statements.statement(
      "SELECT \(statements.selected()) FROM \(statements.table) "
        + "WHERE \(condition) AND \"z_index\" > $2 ORDER BY \"z_index\" LIMIT $3",
      [.bigint, .bigint, .bigint])
  }

  package func countOwners(
    of target: Int64, along property: PropertySchema, of schema: ObjectSchema
  ) throws -> Int {
    guard let statements = try statements(of: schema) else { return noted(0) }
    session.fields.removeAll()
    session.fields.append(integer: target)
    let sql: String
    if let collection = schema.collections.firstIndex(where: { $0 === property }) {
      let link = statements.links[collection]
      sql =
        "SELECT count(DISTINCT l.\(link.owner)) FROM \(link.table) AS l WHERE l.\(link.target) = $1"
    } else {
      sql = "SELECT count(*) FROM \(statements.table) WHERE \(property.name.quoted) = $1"
    }
    let result = try run(statements.statement(sql, [.bigint]), schema)
    return noted(Int(result.integer(0, 0)))
  }

  package func hasRowWithPrimary(of schema: ObjectSchema) throws -> Bool {
    guard let statements = try statements(of: schema), let primary = schema.primary,
      parameters.count > 0
    else { return noted(false) }
    session.fields.removeAll()
    try appendParameters([primary], statements)
    return noted(try run(statements.statement(.hasPrimary), schema, isLookUp: true).count > 0)
  }

  package func storedField(
    _ column: Int, ofRow rowID: Int64, of schema: ObjectSchema
  ) throws -> Field? {
    guard let statements = try statements(of: schema) else { return nil }
    session.fields.removeAll()
    session.fields.append(integer: rowID)
    let name = schema.columns[column].name.quoted
    let statement = statements.statement(
      "SELECT \(name) FROM \(statements.table) WHERE \"z_index\" = $1", [.bigint])
    let result = try run(statement, schema)
    defer { withExtendedLifetime(result) {} }
    guard result.count > 0 else { return nil }
    session.texts.removeAll()
    let value = ResultColumn(result.value(0, 0), statements.types[column], session.texts)
    digest?.add(value)
    parameters.removeAll()
    let place = parameters.append(1)
    parameters.set(parameters.field(of: value), at: place)
    return parameters[place]
  }

  package func hasRow(_ rowID: Int64, of schema: ObjectSchema) throws -> Bool {
    guard let statements = try statements(of: schema) else { return noted(false) }
    session.fields.removeAll()
    session.fields.append(integer: rowID)
    return noted(try run(statements.statement(.hasRow), schema, isLookUp: true).count > 0)
  }
}

extension FetchPlan {
  /// Whether the plan finds few rows in a short time.
  fileprivate var isLookUp: Bool {
    switch self {
    case .primary: true
    case .rows(let list): list.rowIDs.count <= 8
    default: false
    }
  }
}

extension EngineSession {
  /// Appends a field to the parameters as a value of a column.
  func encode(
    _ field: Field, of buffer: FieldBuffer, _ column: Int, _ statements: TypeStatements
  ) throws {
    do {
      try fields.append(field, of: buffer, as: statements.types[column])
    } catch let error as MagicalError {
      throw MagicError(
        error, schema: statements.schema, column: statements.schema.columns[column], row: nil)
    }
  }
}

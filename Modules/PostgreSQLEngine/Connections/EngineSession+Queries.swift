import MagicEngine
import MagicPostgreSQL
import MagicRequests
import MagicSchema
import Magical
import PostgreSQLQueries
import PostgreSQLSearch
import PostgreSQLTables

extension EngineSession {
  /// Returns the table of a type as queries read it.
  func queryTable(of schema: ObjectSchema) throws -> QueryTable {
    let statements = try statements(of: schema)
    let links = try schema.collections.map { column in
      let names = try LinkNames(column, of: schema)
      var exists = statements != nil
      if exists, let join = try column.joinType {
        exists = try self.statements(of: join.schema) != nil
      }
      return QueryTable.Links(
        table: exists ? names.table : nil, owner: names.owner, target: names.target,
        order: [names.sort, names.key ?? names.target].compactMap { $0 })
    }
    return QueryTable(
      name: statements?.table,
      columns: schema.columns.map { QueryTable.Column(name: $0.name.quoted, type: $0.type) },
      links: links)
  }

  /// Returns the statement of a query.
  func statement(for query: PreparedQuery) throws -> QueryStatement {
    try queries.removeRetired(from: connection)
    return try queries.statement(for: query) { kinds in
      try QueryRenderer.render(query, kinds, self.queryTable)
    }
  }

  /// Runs the statement of a query with its values.
  func run(_ query: PreparedQuery, isWriting: Bool) throws -> PostgreSQLResult {
    if !query.shape.searched.isEmpty { try prepareSearches(query, isWriting: isWriting) }
    let statement = try statement(for: query)
    do {
      return try inSavepoint(isWriting && statement.rendered.mayFail) {
        try bind(query.values, to: statement, isWriting: isWriting)
        return try run(statement.statement, query.schema)
      }
    } catch {
      throw self.error(ofSearch: query, error)
    }
  }

  // MARK: Values

  /// Makes the values of a query the parameters of the next statement.
  ///
  /// - Throws: `MagicError` with `.notSaved` for an object that is not a row of this database.
  func bind(_ values: [QueryValue], to statement: QueryStatement, isWriting: Bool) throws {
    fields.removeAll()
    for (value, form) in zip(values, statement.parameters) {
      switch (form.encoding, value) {
      case (.list, .list(let members)):
        fields.beginArray(of: form.type, count: members.count)
        for member in members { try append(member, form.type, isWriting) }
        fields.endArray()
      case (.zone, .blob(let offsets)): append(offsets: offsets)
      case (.globPattern, .text(let pattern)):
        fields.append(text: LikePattern.like(glob: try LikePattern.checked(pattern)))
      case (.search(let type, let isScored), .text(let text)):
        guard let schema = ObjectSchema.numbered(type) else { throw MagicError.malformedQuery }
        let sql = try search.sql(ofSearch: text, in: schema, isScored: isScored)
        fields.append(text: isWriting ? Functions.updatedIndexMark + sql : sql)
      case (.likePattern, .text(let pattern)):
        LikePattern.append(like: try LikePattern.checked(pattern), to: fields)
      default: try append(value, form.type, isWriting)
      }
    }
  }

  private func append(
    _ value: QueryValue, _ type: PostgreSQLType, _ isWriting: Bool
  ) throws {
    switch value {
    case .null, .list: fields.appendNull()
    case .object(let object): fields.append(integer: try rowID(of: object, isWriting))
    case .integer(let integer):
      switch type {
      case .boolean: fields.append(boolean: integer != 0)
      case .float8: fields.append(real: Double(integer))
      default: fields.append(integer: integer)
      }
    case .real(let real): fields.append(real: real)
    case .text(var text):
      do {
        try text.withUTF8 { try fields.append(textBytes: UnsafeRawBufferPointer($0), as: type) }
      } catch let error as MagicalError {
        throw MagicError(.cannotEncode, "A value of the query: \(error).", cause: error)
      }
    case .blob(let bytes): bytes.withUnsafeBytes { fields.append(bytes: $0) }
    }
  }

  func rowID<Model: MagicObject>(of object: Model, _ isWriting: Bool) throws -> Int64 {
    try context.token.rowID(of: object, isWriting: isWriting)
  }

  /// Appends a list of `ZoneOffsets` as an array of integers.
  private func append(offsets: [UInt8]) {
    offsets.withUnsafeBytes { bytes in
      fields.append(
        integers: (0..<bytes.count / 8).map {
          bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self)
        })
    }
  }
}

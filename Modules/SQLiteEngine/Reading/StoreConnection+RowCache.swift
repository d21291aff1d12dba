package import MagicEngine
import MagicSQLite
package import MagicSchema
import SQLiteTables

extension StoreConnection {
  /// Fetches the row with the primary value in the parameters.
  func fetchByPrimary(
    _ statements: TypeStatements, _ graph: RowGraph?, isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows {
    try fetchRow(of: statements.schema, graph, isWanted) {
      try selectRow(statements, graph, isWanted)
    }
  }

  private func selectRow(
    _ statements: TypeStatements, _ graph: RowGraph? = nil, _ isWanted: ((Int64) -> Bool)? = nil
  ) throws -> FetchedRows {
    let select = try statements.selectByPrimary
    try select.bind(parameters[0], of: parameters, parameters.firstByte, at: 1)
    return try pack(select, statements.schema, graph, isWanted, limit: 1)
  }

  /// Fetches the row with the primary value in the parameters, from the cache if it is there.
  ///
  /// - Parameter select: fetches the row by a statement. It must not change the parameters.
  package func fetchRow(
    of schema: ObjectSchema, _ graph: RowGraph?, _ isWanted: ((Int64) -> Bool)?,
    select: () throws -> FetchedRows
  ) throws -> FetchedRows {
    guard graph == nil, isWanted == nil, let place = cachePlace(of: schema) else {
      return try select()
    }
    let found = place.cache.find(place.key, place.index)
    if case .found(let row) = found {
      return FetchedRows([row.makeChunk(of: schema, token)], count: 1)
    }
    return try fetchRow(of: schema, missing: found, at: place, select: select)
  }

  /// Fetches a row that the cache lacks, and adds it.
  private func fetchRow(
    of schema: ObjectSchema, missing: RowCache.LookUp, at place: CachePlace,
    select: () throws -> FetchedRows
  ) throws -> FetchedRows {
    let rows = try select()
    // Another process may have changed the table since the search.
    if case .missing(let commit) = missing, let chunk = rows.chunks.first,
      connection.readsLastCommit, cachedTable(of: schema) == place.table
    {
      place.cache.insert(chunk, for: place.key, of: schema, table: place.table, commit: commit)
    }
    return rows
  }

  /// Whether a row has the primary value in the first parameter.
  package func hasRowWithPrimary(of schema: ObjectSchema) throws -> Bool {
    guard let statements = try statements(of: schema) else { return false }
    if let place = cachePlace(of: schema), case .found = place.cache.find(place.key, place.index) {
      return true
    }
    return try hasRow(statements)
  }

  private func hasRow(_ statements: TypeStatements) throws -> Bool {
    let select = try statements.hasPrimary
    defer { select.reset() }
    try select.bind(parameters[0], of: parameters, parameters.firstByte, at: 1)
    return try select.step()
  }

  /// Looks up the row with the primary value in the parameters.
  ///
  /// - Parameter reading: runs its parameter, which reads the row from the database.
  package func findRow(
    _ lookUp: RowLookUp, reading: (() throws -> RowLookUp.Result) throws -> RowLookUp.Result
  ) throws -> RowLookUp.Result {
    let schema = lookUp.schema
    guard let place = cachePlace(of: schema) else { return .unknown }
    let found = place.cache.find(place.key, place.index, countingMisses: lookUp.reads)
    if case .found(let row) = found {
      if lookUp.isNoted { noteLookUp(of: schema, byKey: false) }
      return .found(lookUp.copies ? row.makeChunk(of: schema, token) : nil)
    }
    guard lookUp.reads else { return .unknown }
    return try reading {
      guard let statements = try statements(of: schema) else { return .unknown }
      noteLookUp(of: schema, byKey: false)
      guard lookUp.copies else { return try hasRow(statements) ? .found(nil) : .missing }
      let rows = try fetchRow(of: schema, missing: found, at: place) { try selectRow(statements) }
      return rows.chunks.first.map { .found($0) } ?? .missing
    }
  }

  private struct CachePlace {
    let cache: RowCache
    /// The hash of the table's name.
    let table: UInt64
    let key: RowKey
    /// The address of the log's index.
    let index: UnsafeRawPointer
  }

  /// Returns where the row with the primary value in the parameters can be cached; nil if the read must not
  /// use the cache.
  @inline(__always)
  private func cachePlace(of schema: ObjectSchema) -> CachePlace? {
    guard let cache, let table = cachedTable(of: schema), digest == nil, recorder == nil,
      !connection.isInTransaction, let index = connection.logIndexAddress,
      let key = RowKey(parameters, of: schema)
    else { return nil }
    return CachePlace(cache: cache, table: table, key: key, index: index)
  }

  /// A transaction has begun on this connection: records which cached rows it changes.
  package func recordRowsForCache() {
    guard let rows = cache?.willWrite(on: connection) else { return }
    if mayReplaceRows == nil {
      // After an error it stays unknown.
      let catalogue = Catalogue(connection: connection)
      mayReplaceRows = try? catalogue.exists("magic_catalogue") && catalogue.mayReplaceRows()
    }
    if mayReplaceRows != false { rows.markIncomplete() }
  }
}

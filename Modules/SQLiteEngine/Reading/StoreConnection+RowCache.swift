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
      let select = try statements.selectByPrimary
      try select.bind(parameters[0], of: parameters, parameters.firstByte, at: 1)
      return try pack(select, statements.schema, graph, isWanted, limit: 1)
    }
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
    switch place.cache.find(place.key, place.index) {
    case .found(let row):
      return FetchedRows([row.makeChunk(of: schema, token)], count: 1)
    case .missing(let commit):
      let rows = try select()
      if let chunk = rows.chunks.first, connection.readsLastCommit {
        place.cache.insert(
          chunk, for: place.key, of: schema, table: place.table, commit: commit)
      }
      return rows
    case .unknown:
      return try select()
    }
  }

  /// Whether a row has the primary value in the first parameter.
  package func hasRowWithPrimary(of schema: ObjectSchema) throws -> Bool {
    guard let statements = try statements(of: schema) else { return false }
    if let place = cachePlace(of: schema), case .found = place.cache.find(place.key, place.index) {
      return true
    }
    let select = try statements.hasPrimary
    defer { select.reset() }
    try select.bind(parameters[0], of: parameters, parameters.firstByte, at: 1)
    return try select.step()
  }

  package func cachedRow(of schema: ObjectSchema) -> RowChunk? {
    foundRow(of: schema)?.makeChunk(of: schema, token)
  }

  package func hasCachedRow(of schema: ObjectSchema) -> Bool { foundRow(of: schema) != nil }

  /// Returns the row with the primary value in the parameters if it is in the cache. A missing row is not
  /// counted: the read that follows counts it.
  @inline(__always)
  private func foundRow(of schema: ObjectSchema) -> CachedRow? {
    guard let place = cachePlace(of: schema),
      case .found(let row) = place.cache.find(place.key, place.index, countingMisses: false)
    else { return nil }
    return row
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
